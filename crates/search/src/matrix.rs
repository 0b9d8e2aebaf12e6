//! Small dense matrices, as fits by Newton's method need them.

/// The inverse of a square matrix by elimination with partial pivoting; `None` if the matrix is singular.
pub fn inverse(mut matrix: Vec<Vec<f64>>) -> Option<Vec<Vec<f64>>> {
    let size = matrix.len();
    let mut inverse: Vec<Vec<f64>> =
        (0..size).map(|i| (0..size).map(|j| f64::from(u8::from(i == j))).collect()).collect();
    for column in 0..size {
        let pivot = (column..size).max_by(|&a, &b| matrix[a][column].abs().total_cmp(&matrix[b][column].abs()))?;
        if matrix[pivot][column].abs() < 1e-12 {
            return None;
        }
        matrix.swap(column, pivot);
        inverse.swap(column, pivot);
        let factor = 1.0 / matrix[column][column];
        for k in 0..size {
            matrix[column][k] *= factor;
            inverse[column][k] *= factor;
        }
        for row in (0..size).filter(|&row| row != column) {
            let factor = matrix[row][column];
            for k in 0..size {
                matrix[row][k] -= factor * matrix[column][k];
                inverse[row][k] -= factor * inverse[column][k];
            }
        }
    }
    Some(inverse)
}

/// A matrix times a vector.
pub fn product(matrix: &[Vec<f64>], vector: &[f64]) -> Vec<f64> {
    matrix.iter().map(|row| row.iter().zip(vector).map(|(a, b)| a * b).sum()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_matrix_times_its_inverse_is_one_and_a_singular_one_has_none() {
        // The first pivot is zero: rows have to be swapped.
        let matrix = vec![vec![0.0, 2.0, 1.0], vec![4.0, 1.0, 0.0], vec![1.0, 0.0, 3.0]];
        let found = inverse(matrix.clone()).unwrap();
        for column in 0..3 {
            let vector: Vec<f64> = found.iter().map(|row| row[column]).collect();
            for (row, value) in product(&matrix, &vector).into_iter().enumerate() {
                assert!((value - f64::from(u8::from(row == column))).abs() < 1e-12, "{row} {column}: {value}");
            }
        }
        assert_eq!(inverse(vec![vec![1.0, 2.0], vec![2.0, 4.0]]), None);
    }
}
