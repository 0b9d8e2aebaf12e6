"""Engines, matches and files from Python."""

import pytest

import quincunx
from quincunx import Engine, State, analyse, match, solve, tournament


def test_an_engine_answers_a_legal_move_and_says_what_it_thinks():
    for name in quincunx.games():
        state = State(name)
        answer = Engine("engine:nodes=500,book=off").choose(state)
        assert answer.move in state.legal_moves() and answer.action in state.legal_actions()
        assert answer.nodes > 0 and 0 <= answer.win_probability <= 1 and answer.pv[0] == answer.move
    with pytest.raises(ValueError, match="engine"):
        Engine("enigne").choose(State("othello"))


def test_analysis_has_lines_and_streams_deeper_ones():
    told = []
    found = analyse(State("othello", moves="f5"), 3, depth=5, tell=told.append)
    assert len(found.lines) == 3 and found.lines[0].score >= found.lines[1].score
    assert [analysis.depth for analysis in told] == sorted(analysis.depth for analysis in told) and told

    def fail(_):
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        analyse(State("othello"), depth=5, tell=fail)


def test_small_othello_is_solved():
    solution = solve(State("othello", "4x4"))
    assert solution.score == -10 and solution.move
    assert solve(State("othello", "4x4"), winner=True).score < 0
    with pytest.raises(ValueError, match="no solver"):
        solve(State("shobu"))


def test_functions_engines_and_specs_play_matches():
    def first(state):
        return state.legal_actions()[0]

    result = match("othello", "engine:level=2", first, games=6, openings="random:4")
    assert result.agents == ("engine:level=2", "first") and result.games == 6
    assert result.wins + result.draws + result.losses == 6 and result.score > 0.5
    assert len(result.records) == 6 and result.records[0].state().is_over
    by_text = match("tessella", lambda state: state.legal_moves()[-1], Engine("random"), games=2)
    assert by_text.games == 2


def test_whoever_answers_no_legal_move_loses_and_exceptions_are_raised():
    result = match("othello", lambda state: 0, "random", games=2)
    assert result.losses == 2 and result.records[0].cause == "illegal move" and "action 0" in result.records[0].fault

    def broken(state):
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        match("othello", broken, "random", games=2)
    with pytest.raises(ValueError, match="an agent is"):
        match("othello", 3, "random", games=2)


def test_a_tournament_has_ratings_and_a_cross_table():
    result = tournament("othello", ["random", "engine:level=1", lambda state: state.legal_actions()[-1]], games=2)
    assert len(result.standings) == 3 and len(result.records) == 6
    assert sum(standing.points for standing in result.standings) == 6
    assert result.cross_table[0][0] is None and result.cross_table[0][1] + result.cross_table[1][0] == 2


def test_files_are_read_and_converted(tmp_path):
    lines = tmp_path / "games.lines"
    lines.write_text("f5d6c3\nf5 f6\n")
    assert quincunx.convert(lines, tmp_path / "games.ggf") == 2
    records = quincunx.read_games(tmp_path / "games.ggf")
    assert [record.moves for record in records] == [["f5", "d6", "c3"], ["f5", "f6"]]
    assert records[0].state(1).position == State("othello", moves="f5").position and not records[0].is_over
    lines.write_text("f5 d6\nf5 f5\n")
    with pytest.raises(ValueError, match="line 2: move 2: f5 is occupied"):
        quincunx.read_games(lines)
    assert len(quincunx.read_games(lines, skip_wrong=True)) == 1
    assert "wthor" in quincunx.formats()


def test_parquet_is_what_arrow_reads(tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    lines = tmp_path / "games.lines"
    lines.write_text("f5d6c3\nf5 f6\n")
    quincunx.convert(lines, tmp_path / "rows.parquet", write="parquet-positions")
    table = parquet.read_table(tmp_path / "rows.parquet").to_pydict()
    assert table["move"] == ["f5", "d6", "c3", None, "f5", "f6", None] and table["ply"][:4] == [0, 1, 2, 3]
