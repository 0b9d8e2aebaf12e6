//! Many games at once, for Python: steps are taken without the interpreter's lock, into arrays of the caller's.

use numpy::{PyReadonlyArray1, PyReadwriteArray1, PyReadwriteArray2, PyReadwriteArrayDyn};
use pyo3::{exceptions::PyValueError, prelude::*};
use quincunx_games::variant;
use quincunx_search::vec_env::{AnyVecEnv, Outputs};

use crate::{rules, wrong};

/// The native half of `VecEnv`.
#[pyclass(module = "quincunx", unsendable)]
pub struct VecEnvCore {
    inner: Box<dyn AnyVecEnv>,
}

/// More games would need more memory than a machine has for their masks.
const MOST_GAMES: usize = 1 << 20;

/// A contiguous array as a slice.
macro_rules! slice {
    ($array:ident) => {
        $array.as_slice_mut().map_err(|_| PyValueError::new_err(concat!(stringify!($array), " must be contiguous")))?
    };
}

#[pymethods]
impl VecEnvCore {
    #[new]
    fn new(game: &str, ruleset: Option<&str>, games: usize, seed: u64) -> PyResult<Self> {
        if !(1..=MOST_GAMES).contains(&games) {
            return Err(wrong(format!("the number of games lies between 1 and {MOST_GAMES}")));
        }
        let rules = rules(game, ruleset).map_err(wrong)?;
        Ok(Self { inner: variant(&rules).vec_env(rules, games, seed) })
    }

    fn actions(&self) -> usize {
        self.inner.actions()
    }

    fn observation_shape(&self) -> Vec<usize> {
        self.inner.observation_shape()
    }

    fn position(&self, game: usize) -> PyResult<String> {
        self.inner.position_text(game).ok_or_else(|| wrong(format!("there is no game {game}")))
    }

    fn reset(
        &mut self,
        py: Python<'_>,
        mut observations: PyReadwriteArrayDyn<'_, u8>,
        mut masks: PyReadwriteArray2<'_, u8>,
        mut rewards: PyReadwriteArray1<'_, f32>,
        mut dones: PyReadwriteArray1<'_, u8>,
        mut to_move: PyReadwriteArray1<'_, u8>,
    ) -> PyResult<()> {
        let out = Outputs {
            observations: slice!(observations),
            masks: slice!(masks),
            rewards: slice!(rewards),
            dones: slice!(dones),
            to_move: slice!(to_move),
        };
        self.check(&out)?;
        let inner = &mut self.inner;
        py.detach(|| inner.reset(out));
        Ok(())
    }

    #[allow(clippy::too_many_arguments)]
    fn step(
        &mut self,
        py: Python<'_>,
        actions: PyReadonlyArray1<'_, i64>,
        mut observations: PyReadwriteArrayDyn<'_, u8>,
        mut masks: PyReadwriteArray2<'_, u8>,
        mut rewards: PyReadwriteArray1<'_, f32>,
        mut dones: PyReadwriteArray1<'_, u8>,
        mut to_move: PyReadwriteArray1<'_, u8>,
        threads: usize,
    ) -> PyResult<()> {
        let actions = actions.as_slice().map_err(|_| PyValueError::new_err("actions must be contiguous"))?;
        let out = Outputs {
            observations: slice!(observations),
            masks: slice!(masks),
            rewards: slice!(rewards),
            dones: slice!(dones),
            to_move: slice!(to_move),
        };
        self.check(&out)?;
        let inner = &mut self.inner;
        py.detach(|| inner.step(actions, out, threads)).map_err(wrong)
    }

    fn sample(&mut self, mut actions: PyReadwriteArray1<'_, i64>) -> PyResult<()> {
        self.inner.sample(slice!(actions));
        Ok(())
    }
}

impl VecEnvCore {
    /// Refuses arrays of other sizes than those of the games.
    fn check(&self, out: &Outputs<'_>) -> PyResult<()> {
        let games = self.inner.games();
        let observation: usize = self.inner.observation_shape().iter().product();
        let right = out.observations.len() == games * observation
            && out.masks.len() == games * self.inner.actions()
            && [out.rewards.len(), out.dones.len(), out.to_move.len()] == [games; 3];
        if right { Ok(()) } else { Err(wrong("the arrays do not have the sizes of these games")) }
    }
}
