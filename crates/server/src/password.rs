//! A password for everybody, for a class: whoever knows it is let in, and there are no accounts.

use axum::http::{HeaderMap, HeaderValue, header};

use crate::secret;

/// The cookie of those who have entered.
const COOKIE: &str = "quincunx";

/// How long a browser stays in, in seconds: 90 days.
const STAY: u32 = 90 * 24 * 3600;

/// The password of the server.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Password {
    /// What is kept of it.
    digest: String,
    /// What a browser shows afterwards. It changes with the password.
    pass: String,
}

impl Password {
    pub(crate) fn new(password: &str, salt: &str) -> Self {
        let digest = secret::digest(&format!("{salt} {password}"));
        let pass = secret::digest(&format!("pass {digest}"));
        Self { digest, pass }
    }

    /// Whether this is the password. What is compared are digests, so the time it takes tells nothing.
    pub(crate) fn is(&self, salt: &str, given: &str) -> bool {
        secret::digest(&format!("{salt} {given}")) == self.digest
    }

    /// The cookie for those who knew it.
    pub(crate) fn cookie(&self, secure: bool) -> Option<HeaderValue> {
        let secure = if secure { "; Secure" } else { "" };
        let text = format!("{COOKIE}={}; Path=/; Max-Age={STAY}; HttpOnly; SameSite=Strict{secure}", self.pass);
        HeaderValue::from_str(&text).ok()
    }

    /// Whether a request comes from a browser that has entered.
    pub(crate) fn has_entered(&self, headers: &HeaderMap) -> bool {
        let cookies = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
        let mut cookies = cookies.flat_map(|value| value.split(';')).filter_map(|cookie| cookie.trim().split_once('='));
        cookies.any(|(name, value)| name == COOKIE && secret::digest(value) == secret::digest(&self.pass))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_password_and_its_own_cookie_let_in() {
        let password = Password::new("open sesame", "salt");
        assert!(password.is("salt", "open sesame") && !password.is("salt", "open") && !password.is("", "open sesame"));
        let cookie = password.cookie(true).unwrap();
        let shown = cookie.to_str().unwrap().split(';').next().unwrap();
        let headers = |text: &str| HeaderMap::from_iter([(header::COOKIE, HeaderValue::from_str(text).unwrap())]);
        assert!(password.has_entered(&headers(&format!("a=b; {shown}"))));
        assert!(!password.has_entered(&headers("quincunx=x")) && !password.has_entered(&HeaderMap::new()));
        assert!(!Password::new("other", "salt").has_entered(&headers(shown)));
    }
}
