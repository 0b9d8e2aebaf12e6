//! TLS: the certificate of the server, read again when its files change.

use std::{
    path::{Path, PathBuf},
    sync::{Arc, Mutex},
    time::SystemTime,
};

use tokio_rustls::{
    TlsAcceptor,
    rustls::{
        ServerConfig,
        crypto::ring,
        pki_types::{CertificateDer, PrivateKeyDer, pem::PemObject},
    },
};

/// The files of a certificate, in PEM.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tls {
    /// The certificate and those that vouch for it.
    pub certificate: PathBuf,
    /// Its private key.
    pub key: PathBuf,
}

/// A certificate in use.
pub(crate) struct Certificate {
    files: Tls,
    current: Mutex<(TlsAcceptor, [Option<SystemTime>; 2])>,
}

impl Certificate {
    /// Reads the files; one line about what is wrong with them.
    pub(crate) fn read(files: Tls) -> Result<Self, String> {
        let changed = files.changed();
        let acceptor = files.acceptor()?;
        Ok(Self { files, current: Mutex::new((acceptor, changed)) })
    }

    /// What takes connections with the current certificate.
    pub(crate) fn acceptor(&self) -> TlsAcceptor {
        self.current.lock().expect("no thread panics with the lock").0.clone()
    }

    /// Reads the files again if they were changed. Until they are right, the certificate stays as it is.
    pub(crate) fn renew(&self) {
        let changed = self.files.changed();
        if self.current.lock().expect("no thread panics with the lock").1 == changed {
            return;
        }
        match self.files.acceptor() {
            Ok(acceptor) => {
                *self.current.lock().expect("no thread panics with the lock") = (acceptor, changed);
                tracing::info!("the certificate was renewed");
            }
            Err(error) => tracing::warn!(error, "the new certificate cannot be used"),
        }
    }
}

impl Tls {
    fn changed(&self) -> [Option<SystemTime>; 2] {
        [&self.certificate, &self.key].map(|path| path.metadata().and_then(|file| file.modified()).ok())
    }

    fn acceptor(&self) -> Result<TlsAcceptor, String> {
        let about = |path: &Path, error: String| format!("{}: {error}", path.display());
        let chain: Vec<_> = CertificateDer::pem_file_iter(&self.certificate)
            .and_then(Iterator::collect)
            .map_err(|error| about(&self.certificate, error.to_string()))?;
        if chain.is_empty() {
            return Err(about(&self.certificate, "there is no certificate in it".into()));
        }
        let key = PrivateKeyDer::from_pem_file(&self.key).map_err(|error| about(&self.key, error.to_string()))?;
        let mut config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()
            .and_then(|builder| builder.with_no_client_auth().with_single_cert(chain, key))
            .map_err(|error| about(&self.certificate, error.to_string()))?;
        config.alpn_protocols = vec![b"http/1.1".to_vec()];
        Ok(TlsAcceptor::from(Arc::new(config)))
    }
}
