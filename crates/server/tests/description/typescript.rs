//! JSON schemas as types of TypeScript, as far as the description of the API goes.

use serde_json::{Map, Value};

/// A module with a type for each schema.
pub(crate) fn types(schemas: &Value) -> String {
    let types = schemas
        .as_object()
        .expect("schemas have names")
        .iter()
        .map(|(name, schema)| format!("\n{}export type {name} = {};\n", comment(schema, ""), type_of(schema, "")));
    let header = "// Made from the types of the server (crates/server/tests/description): not to be edited.\n";
    std::iter::once(header.into()).chain(types).collect()
}

/// What a schema says about itself, on a line of its own.
fn comment(schema: &Value, indent: &str) -> String {
    match schema["description"].as_str() {
        Some(text) => format!("{indent}/** {} */\n", text.split_whitespace().collect::<Vec<_>>().join(" ")),
        None => String::new(),
    }
}

fn type_of(schema: &Value, indent: &str) -> String {
    let all = |schemas: &Value, sign: &str| {
        let parts: Vec<_> = schemas.as_array().into_iter().flatten().map(|schema| type_of(schema, indent)).collect();
        parts.join(sign)
    };
    if let Some(reference) = schema["$ref"].as_str() {
        return reference.rsplit('/').next().expect("a reference has a name").into();
    }
    if schema["oneOf"].is_array() {
        return all(&schema["oneOf"], " | ");
    }
    if schema["allOf"].is_array() {
        return all(&schema["allOf"], " & ");
    }
    if let Some(values) = schema["enum"].as_array() {
        return values.iter().map(|value| value.to_string().replace('"', "'")).collect::<Vec<_>>().join(" | ");
    }
    let kinds = match &schema["type"] {
        Value::Array(kinds) => kinds.clone(),
        kind => vec![kind.clone()],
    };
    let kinds: Vec<_> = kinds.iter().map(|kind| single(kind.as_str().unwrap_or_default(), schema, indent)).collect();
    kinds.join(" | ")
}

fn single(kind: &str, schema: &Value, indent: &str) -> String {
    match kind {
        "string" | "boolean" | "null" => kind.into(),
        "integer" | "number" => "number".into(),
        "array" => array(schema, indent),
        "object" => object(schema, indent),
        _ => panic!("a schema of an unknown kind: {schema}"),
    }
}

fn array(schema: &Value, indent: &str) -> String {
    if let Some(items) = schema["prefixItems"].as_array() {
        let items: Vec<_> = items.iter().map(|item| type_of(item, indent)).collect();
        return format!("[{}]", items.join(", "));
    }
    let item = type_of(&schema["items"], indent);
    match (schema["minItems"].as_u64(), schema["maxItems"].as_u64()) {
        (Some(least), Some(most)) if least == most => format!("[{}]", vec![item; most as usize].join(", ")),
        _ if item.contains(" | ") || item.contains(" & ") => format!("({item})[]"),
        _ => format!("{item}[]"),
    }
}

fn object(schema: &Value, indent: &str) -> String {
    if schema["additionalProperties"].is_object() {
        return format!("{{ [name: string]: {} }}", type_of(&schema["additionalProperties"], indent));
    }
    let deeper = format!("{indent}  ");
    let required =
        |name: &str| schema["required"].as_array().is_some_and(|names| names.iter().any(|known| known == name));
    let none = Map::new();
    let properties = schema["properties"].as_object().unwrap_or(&none).iter().map(|(name, property)| {
        let mark = if required(name) { "" } else { "?" };
        format!("{}{deeper}{name}{mark}: {};\n", comment(property, &deeper), type_of(property, &deeper))
    });
    format!("{{\n{}{indent}}}", properties.collect::<String>())
}
