//! The configuration of a server for a cluster.
