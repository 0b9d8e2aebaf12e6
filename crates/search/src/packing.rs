//! Weights in few bytes: most are zero or small, so runs of zeros are counted, and the others take a byte or two.

use quincunx_game::TextError;

fn damaged(what: &str) -> TextError {
    TextError::new(format!("these weights are damaged: {what}"))
}

/// The weights as bytes, which [`unpack`] reads back.
pub fn pack(weights: &[i16]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut rest = weights;
    while let Some((&weight, behind)) = rest.split_first() {
        if weight == 0 {
            // A zero is followed by the number of further zeros.
            let run = behind.iter().take_while(|&&weight| weight == 0).count();
            bytes.push(0);
            put_number(&mut bytes, run);
            rest = &behind[run..];
        } else {
            // The sign goes last, so that small numbers of both signs are short.
            let weight = i32::from(weight);
            put_number(&mut bytes, ((weight << 1) ^ (weight >> 31)) as usize);
            rest = behind;
        }
    }
    bytes
}

/// Exactly `count` weights.
pub fn unpack(bytes: &[u8], count: usize) -> Result<Vec<i16>, TextError> {
    let mut bytes = bytes.iter();
    let mut weights = Vec::with_capacity(count);
    while weights.len() < count {
        let number = take_number(&mut bytes)?;
        if number == 0 {
            let run = take_number(&mut bytes)? + 1;
            if run > count - weights.len() {
                return Err(damaged("there are too many"));
            }
            weights.resize(weights.len() + run, 0);
        } else {
            let number = i32::try_from(number).map_err(|_| damaged("one is out of range"))?;
            let weight = (number >> 1) ^ -(number & 1);
            weights.push(i16::try_from(weight).map_err(|_| damaged("one is out of range"))?);
        }
    }
    if bytes.next().is_some() { Err(damaged("they go on behind the last one")) } else { Ok(weights) }
}

fn put_number(bytes: &mut Vec<u8>, mut number: usize) {
    while number >= 128 {
        bytes.push(number as u8 | 128);
        number >>= 7;
    }
    bytes.push(number as u8);
}

fn take_number(bytes: &mut std::slice::Iter<u8>) -> Result<usize, TextError> {
    let mut number = 0;
    for shift in [0, 7, 14, 21] {
        let byte = *bytes.next().ok_or_else(|| damaged("they end too soon"))?;
        number |= (byte as usize & 127) << shift;
        if byte < 128 {
            return Ok(number);
        }
    }
    Err(damaged("a number is too long"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_come_back_and_damage_is_told() {
        let weights: Vec<i16> = (0..3000).map(|n| if n % 7 < 4 { 0 } else { (n * n * 31) as i16 }).collect();
        let bytes = pack(&weights);
        assert_eq!(unpack(&bytes, weights.len()).unwrap(), weights);
        let message = |bytes: &[u8]| unpack(bytes, weights.len()).unwrap_err().to_string();
        assert!(message(&bytes[..bytes.len() - 1]).contains("end too soon"));
        assert!(message(&[&bytes[..], &[1]].concat()).contains("go on"));
        assert!(message(&[0, 255, 255, 255, 127]).contains("too many"));
        assert!(message(&[255; 9]).contains("too long"));
    }
}
