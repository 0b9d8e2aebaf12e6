//! What a front end and whatever thinks for it say to each other: boards, positions, analyses and words as JSON.
//!
//! The server and the engine in the page answer with the same types, so a page need not know which of them it asks.

pub mod agents;
pub mod analysis;
pub mod book;
pub mod content;
pub mod games_file;
pub mod lessons;
pub mod line;
pub mod pasted;
pub mod refusal;
pub mod set_up;
pub mod view;

pub use analysis::{AnalysisView, ReviewView};
pub use book::{BookView, book_of};
pub use content::{Contents, contents, languages};
pub use games_file::games_in;
pub use lessons::lessons;
pub use line::{Ending, Line};
pub use pasted::Pasted;
pub use refusal::ErrorView;
pub use set_up::SetUp;
pub use view::{AboutView, BoardView, Catalogue, Opened, PlyView, PositionView};
