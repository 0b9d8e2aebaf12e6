//! The cells of the diamond of size `D`: their numbers, places in the array, shapes and symmetries.
//!
//! A cell has array coordinates (row, column) and diagonal ones, `u` = row + column and `v` = row - column, both moved
//! to run from 0 to 2D-2. The cells are those where `u` and `v` are both even (octagons) or both odd (squares), so
//! ((2D-1) u + v) / 2 numbers them without a gap, and every direction of the array is one distance between numbers.

use quincunx_game::square_board;

/// The four directions of rising cell numbers as steps in `u` and `v`. The first two are diagonals of the array, which
/// lead from octagon to octagon or from square to square; the others are its rows and columns.
pub(super) const RISING: [(isize, isize); 4] = [(0, 2), (2, 0), (1, -1), (1, 1)];

/// The number of directions: the rising ones, then their opposites in the same order.
pub(super) const DIRECTIONS: usize = 8;

/// Sets of cells by direction.
pub(super) type Lanes = [u64; 4];

/// The board of size `D`, from 4 to 6.
pub(super) struct Board<const D: usize>;

impl<const D: usize> Board<D> {
    /// Rows and columns of the array; also the number of values that `u` and `v` have.
    pub(super) const ARRAY: usize = 2 * D - 1;

    /// The number of cells.
    pub(super) const CELLS: usize = D * D + (D - 1) * (D - 1);

    /// The octagons.
    pub(super) const OCTAGONS: u64 = {
        let (mut octagons, mut cell) = (0, 0);
        while cell < Self::CELLS {
            octagons |= (Self::is_octagon(cell) as u64) << cell;
            cell += 1;
        }
        octagons
    };

    /// The rings around the centre, the outermost first; octagons and squares take turns.
    pub(super) const RINGS: [u64; D] = {
        let (mut rings, mut cell) = ([0; D], 0);
        while cell < Self::CELLS {
            let (row, column) = Self::place(cell);
            rings[D - 1 - row.abs_diff(D - 1) - column.abs_diff(D - 1)] |= 1 << cell;
            cell += 1;
        }
        rings
    };

    /// The four tips.
    pub(super) const TIPS: u64 = {
        let ends = (1 << Self::number(0, 0)) | (1 << Self::number(Self::ARRAY - 1, Self::ARRAY - 1));
        ends | (1 << Self::number(0, Self::ARRAY - 1)) | (1 << Self::number(Self::ARRAY - 1, 0))
    };

    /// The cells at most `D` / 2 rings away from the centre.
    pub(super) const INNER: u64 = {
        let (mut inner, mut ring) = (0, D - 1 - D / 2);
        while ring < D {
            inner |= Self::RINGS[ring];
            ring += 1;
        }
        inner
    };

    /// The pieces of the first side at the start: the octagons along the two lower edges, without the outer tips.
    pub(super) const LOWER_EDGES: u64 = {
        let (mut edges, mut cell) = (0, 0);
        while cell < Self::CELLS {
            let (u, v) = Self::diagonals(cell);
            let lower = u + v > Self::ARRAY - 1;
            edges |= ((lower && (u == Self::ARRAY - 1 || v == Self::ARRAY - 1)) as u64) << cell;
            cell += 1;
        }
        edges
    };

    /// How far the cell number goes in each rising direction.
    pub(super) const STEPS: [u32; 4] = {
        let (mut steps, mut lane) = ([0; 4], 0);
        while lane < 4 {
            let (du, dv) = RISING[lane];
            steps[lane] = ((Self::ARRAY as isize * du + dv) >> 1) as u32;
            lane += 1;
        }
        steps
    };

    /// The cells with a neighbour behind them, for a walk in each rising direction.
    pub(super) const FOLLOWERS_RISING: Lanes = Self::followers(1);

    /// The same for the falling directions.
    pub(super) const FOLLOWERS_FALLING: Lanes = Self::followers(-1);

    /// The line behind a cell, by direction of the walk and cell.
    pub(super) const BEHIND: &'static [[u64; 64]; DIRECTIONS] = &{
        let (mut behind, mut direction) = ([[0; 64]; DIRECTIONS], 0);
        while direction < DIRECTIONS {
            let mut cell = 0;
            while cell < Self::CELLS {
                let mut at = Self::neighbour(cell, direction ^ 4);
                while let Some(next) = at {
                    behind[direction][cell] |= 1 << next;
                    at = Self::neighbour(next, direction ^ 4);
                }
                cell += 1;
            }
            direction += 1;
        }
        behind
    };

    const fn followers(sense: isize) -> Lanes {
        let (mut followers, mut lane) = ([0; 4], 0);
        while lane < 4 {
            let (du, dv) = RISING[lane];
            let mut cell = 0;
            while cell < Self::CELLS {
                followers[lane] |= (Self::shifted(cell, -sense * du, -sense * dv).is_some() as u64) << cell;
                cell += 1;
            }
            lane += 1;
        }
        followers
    }

    const fn number(u: usize, v: usize) -> usize {
        (Self::ARRAY * u + v) >> 1
    }

    const fn diagonals(cell: usize) -> (usize, usize) {
        (2 * cell / Self::ARRAY, 2 * cell % Self::ARRAY)
    }

    const fn shifted(cell: usize, du: isize, dv: isize) -> Option<usize> {
        let (u, v) = Self::diagonals(cell);
        let (u, v) = (u as isize + du, v as isize + dv);
        let range = Self::ARRAY as isize;
        if u < 0 || u >= range || v < 0 || v >= range { None } else { Some(Self::number(u as usize, v as usize)) }
    }

    /// The next cell of the array in a direction, whether it shares an edge or only a line.
    pub(super) const fn neighbour(cell: usize, direction: usize) -> Option<usize> {
        let (du, dv) = RISING[direction % 4];
        if direction < 4 { Self::shifted(cell, du, dv) } else { Self::shifted(cell, -du, -dv) }
    }

    /// Whether the cell is an octagon; it is a square otherwise.
    pub(super) const fn is_octagon(cell: usize) -> bool {
        Self::diagonals(cell).0.is_multiple_of(2)
    }

    /// The row and the column of a cell in the array.
    pub(super) const fn place(cell: usize) -> (usize, usize) {
        let (u, v) = Self::diagonals(cell);
        (u.midpoint(v), (u + Self::ARRAY - 1 - v) / 2)
    }

    /// The cell at a place of the array, if there is one.
    pub(super) fn cell_at(row: usize, column: usize) -> Option<usize> {
        let u = (row + column).checked_sub(D - 1)?;
        let v = (row + D - 1).checked_sub(column)?;
        (u < Self::ARRAY && v < Self::ARRAY).then(|| Self::number(u, v))
    }

    /// A cell through a symmetry of the square of diagonals.
    pub(super) fn image(cell: u32, symmetry: usize) -> u32 {
        let (u, v) = square_board::image(Self::diagonals(cell as usize), Self::ARRAY, symmetry);
        Self::number(u, v) as u32
    }
}
