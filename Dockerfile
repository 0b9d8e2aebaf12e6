# The web app and everything else of Quincunx in a small image:
#   docker build -t quincunx --build-arg QUINCUNX_COMMIT=$(git rev-parse --short=12 HEAD) .
#   docker run -p 8421:8421 -v quincunx:/data quincunx
# Another command instead of the web app: docker run -it quincunx play othello --second engine:level=3
FROM rust:1-slim-bookworm AS build
RUN rustup target add wasm32-unknown-unknown
WORKDIR /src
COPY . .
# For any x86-64 processor of the last fifteen years; the engine asks the processor for more when it runs.
ARG CPU=x86-64-v2
# What `--version` and every result name; the sources come here without their repository.
ARG QUINCUNX_COMMIT
RUN ./site && if [ "$(uname -m)" = x86_64 ]; then RUSTFLAGS="-C target-cpu=$CPU" cargo build --release; \
    else RUSTFLAGS="-C target-cpu=generic" cargo build --release; fi

FROM debian:bookworm-slim
RUN useradd --create-home --uid 1000 quincunx && mkdir /data && chown quincunx /data
COPY --from=build /src/target/release/quincunx /usr/local/bin/quincunx
USER quincunx
WORKDIR /data
VOLUME /data
EXPOSE 8421
ENTRYPOINT ["quincunx"]
CMD ["serve", "--public", "--address", "0.0.0.0", "--data", "/data/games.sqlite"]
