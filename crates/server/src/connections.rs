//! Connections: how many there may be in all and from each network, and how long one may keep the server waiting.

use std::{
    collections::{BTreeMap, HashMap},
    future::Future,
    io,
    net::{IpAddr, SocketAddr},
    pin::Pin,
    sync::{Arc, Mutex},
    task::{Context, Poll},
    time::Duration,
};

use axum::{Router, body::Body, extract::ConnectInfo, http::Request};
use hyper::{body::Incoming, server::conn::http1, service::Service};
use hyper_util::{
    rt::{TokioIo, TokioTimer},
    service::TowerToHyperService,
};
use quincunx_game::refusal;
use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    net::{TcpListener, TcpStream},
    sync::{oneshot, watch},
    time::{Sleep, sleep, timeout},
};

use crate::{
    Deadlines, Settings,
    proxy::{Network, is_trusted},
    rates::network,
    refusal::Refusal,
    tls::Certificate,
};

/// How long to wait before accepting again if the system has no descriptor left.
const BREATH: Duration = Duration::from_millis(50);

/// Accepts connections until the server ends, then waits for the open ones, but not for long.
pub(crate) async fn serve(
    listener: TcpListener,
    router: Router,
    settings: &Settings,
    certificate: Option<Arc<Certificate>>,
    ending: watch::Receiver<bool>,
) {
    let places = Arc::new(Places::new(settings));
    let deadlines = settings.deadlines;
    let mut ended = ending.clone();
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            _ = ended.changed() => break,
        };
        let (stream, from) = match accepted {
            Ok(accepted) => accepted,
            Err(error) => {
                // A client that went away meanwhile, or no descriptor left: neither ends the server.
                tracing::warn!(%error, "a connection could not be accepted");
                sleep(BREATH).await;
                continue;
            }
        };
        let Some(place) = Places::take(&places, from.ip()) else {
            refuse(&stream);
            continue;
        };
        _ = stream.set_nodelay(true);
        let stream = Placed { stream, place, stalled: None, patience: deadlines.write };
        let (router, ending) = (router.clone(), ending.clone());
        let Some(acceptor) = certificate.as_ref().map(|certificate| certificate.acceptor()) else {
            tokio::spawn(serve_one(stream, from, router, deadlines, ending));
            continue;
        };
        tokio::spawn(async move {
            // Errors here are the client's, as below.
            if let Ok(Ok(stream)) = timeout(deadlines.head, acceptor.accept(stream)).await {
                serve_one(stream, from, router, deadlines, ending).await;
            }
        });
    }
    drop(listener);
    if timeout(deadlines.drain, places.empty()).await.is_err() {
        tracing::warn!("some connections were still open when the server ended");
    }
}

async fn serve_one(
    stream: impl AsyncRead + AsyncWrite + Unpin + Send + 'static,
    from: SocketAddr,
    router: Router,
    deadlines: Deadlines,
    mut ending: watch::Receiver<bool>,
) {
    let router = TowerToHyperService::new(router);
    let service = hyper::service::service_fn(move |request: Request<Incoming>| {
        let mut request = request.map(Body::new);
        request.extensions_mut().insert(ConnectInfo(from));
        router.call(request)
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(deadlines.head)
        .serve_connection(TokioIo::new(stream), service)
        .with_upgrades();
    let mut connection = std::pin::pin!(connection);
    tokio::select! {
        // Errors here are the client's: it went away, was too slow, or sent no HTTP.
        _ = &mut connection => return,
        _ = ending.wait_for(|&ended| ended) => {}
    }
    connection.as_mut().graceful_shutdown();
    _ = timeout(deadlines.drain, connection).await;
}

/// There is no place for another connection of this client.
pub(crate) fn too_many() -> Refusal {
    Refusal::too_many(refusal!("connections.too_many", "too many connections from this address"))
}

/// Tells a client that there is no place for it, as far as that is possible without waiting.
fn refuse(stream: &TcpStream) {
    let body = too_many().json();
    let answer = format!(
        "HTTP/1.1 429 Too Many Requests\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\
         Connection: close\r\n\r\n{body}",
        body.len()
    );
    _ = stream.try_write(answer.as_bytes());
}

/// The places for connections, and who has them.
pub(crate) struct Places {
    most: usize,
    most_a_network: usize,
    /// Proxies bring the connections of many.
    proxies: Vec<Network>,
    taken: Mutex<Taken>,
    /// The number of places taken.
    count: watch::Sender<usize>,
}

#[derive(Default)]
struct Taken {
    next: u64,
    /// Connections below that have not lost their places.
    held: usize,
    /// For each network its connections, each with what ends it.
    networks: HashMap<IpAddr, BTreeMap<u64, oneshot::Sender<()>>>,
}

/// One taken place; dropping it frees it.
pub(crate) struct Place {
    places: Arc<Places>,
    network: IpAddr,
    number: u64,
    freed: bool,
    /// Answers when the place is given to somebody else.
    pub(crate) lost: oneshot::Receiver<()>,
}

impl Places {
    pub(crate) fn new(settings: &Settings) -> Self {
        Self {
            most: settings.most_connections,
            most_a_network: settings.most_connections_an_address,
            proxies: settings.behind.clone(),
            taken: Mutex::default(),
            count: watch::Sender::new(0),
        }
    }

    /// A place for a connection from this address.
    ///
    /// If all are taken, the network with the most connections loses its newest one to a network with fewer, so that
    /// nobody can lock the others out.
    pub(crate) fn take(places: &Arc<Self>, address: IpAddr) -> Option<Place> {
        let network = network(address);
        let mut taken = places.taken.lock().expect("no thread panics with the lock");
        let own = taken.networks.get(&network).map_or(0, BTreeMap::len);
        if own >= places.most_a_network && !is_trusted(&places.proxies, address) {
            return None;
        }
        if taken.held >= places.most {
            let (&largest, _) = taken.networks.iter().max_by_key(|(_, connections)| connections.len())?;
            let connections = taken.networks.get_mut(&largest)?;
            if connections.len() <= own + 1 {
                return None;
            }
            let (_, end) = connections.pop_last()?;
            _ = end.send(());
            taken.held -= 1;
        }
        let number = taken.next;
        taken.next += 1;
        taken.held += 1;
        let (end, lost) = oneshot::channel();
        taken.networks.entry(network).or_default().insert(number, end);
        places.count.send_modify(|count| *count += 1);
        Some(Place { places: Arc::clone(places), network, number, freed: false, lost })
    }

    /// Waits until every connection has ended.
    async fn empty(&self) {
        _ = self.count.subscribe().wait_for(|&count| count == 0).await;
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.free();
    }
}

impl Place {
    /// Gives the place back.
    fn free(&mut self) {
        if std::mem::replace(&mut self.freed, true) {
            return;
        }
        let mut taken = self.places.taken.lock().expect("no thread panics with the lock");
        let taken = &mut *taken;
        if let Some(connections) = taken.networks.get_mut(&self.network) {
            taken.held -= usize::from(connections.remove(&self.number).is_some());
            if connections.is_empty() {
                taken.networks.remove(&self.network);
            }
        }
        self.places.count.send_modify(|count| *count -= 1);
    }
}

/// A stream that keeps its place as long as it lives, also after it became a WebSocket.
struct Placed {
    stream: TcpStream,
    place: Place,
    /// Runs while the client takes nothing of what is sent to it.
    stalled: Option<Pin<Box<Sleep>>>,
    patience: Duration,
}

impl Placed {
    fn must_have_its_place(&mut self, context: &mut Context<'_>) -> io::Result<()> {
        match Pin::new(&mut self.place.lost).poll(context) {
            Poll::Ready(_) => Err(io::ErrorKind::ConnectionAborted.into()),
            Poll::Pending => Ok(()),
        }
    }

    fn write(
        &mut self,
        context: &mut Context<'_>,
        write: impl FnOnce(Pin<&mut TcpStream>, &mut Context<'_>) -> Poll<io::Result<usize>>,
    ) -> Poll<io::Result<usize>> {
        self.must_have_its_place(context)?;
        let written = write(Pin::new(&mut self.stream), context);
        if written.is_ready() {
            self.stalled = None;
            return written;
        }
        let patience = self.patience;
        let stalled = self.stalled.get_or_insert_with(|| Box::pin(sleep(patience)));
        stalled.as_mut().poll(context).map(|()| Err(io::ErrorKind::TimedOut.into()))
    }
}

impl AsyncRead for Placed {
    fn poll_read(mut self: Pin<&mut Self>, context: &mut Context<'_>, into: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        self.must_have_its_place(context)?;
        Pin::new(&mut self.stream).poll_read(context, into)
    }
}

impl AsyncWrite for Placed {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        self.write(context, |stream, context| stream.poll_write(context, bytes))
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        self.write(context, |stream, context| stream.poll_write_vectored(context, parts))
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        // Before the client can see the end: it may come back at once.
        self.place.free();
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(most: usize, most_a_network: usize) -> Arc<Places> {
        let mut settings = Settings::local("unused".into());
        (settings.most_connections, settings.most_connections_an_address) = (most, most_a_network);
        Arc::new(Places::new(&settings))
    }

    #[test]
    fn a_place_is_always_left_for_others() {
        let places = places(10, 10);
        let [greedy, other]: [IpAddr; 2] = [[10, 0, 0, 1].into(), [10, 0, 0, 2].into()];
        let mut held: Vec<_> = (0..10).map(|_| Places::take(&places, greedy).unwrap()).collect();
        assert!(Places::take(&places, greedy).is_none());
        let newcomer = Places::take(&places, other);
        assert!(newcomer.is_some());
        assert!(held[9].lost.try_recv().is_ok(), "the newest connection of the greedy network ends");
        assert!(held[8].lost.try_recv().is_err());
        drop((held, newcomer));
        assert_eq!(*places.count.borrow(), 0);
    }

    #[test]
    fn a_network_of_ipv6_counts_as_one_address() {
        let places = places(100, 2);
        let held: Vec<_> =
            (1..=3).map(|host| Places::take(&places, IpAddr::from([0x2001, 0xdb8, 0, 1, 0, 0, 0, host]))).collect();
        assert!(held[0].is_some() && held[1].is_some() && held[2].is_none());
        assert!(Places::take(&places, IpAddr::from([0x2001, 0xdb8, 0, 2, 0, 0, 0, 1])).is_some());
    }
}
