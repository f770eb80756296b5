"""reportkit.toml: what it decides, that the command line beats it, a sentence for every slip."""

import pytest

from reportkit.decisions import Options
from reportkit.loading.config import ConfigError, Settings, load


def written(tmp_path, text: str):
    path = tmp_path / "reportkit.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_every_key_reaches_its_option(tmp_path):
    settings = load(written(tmp_path, """
        logs = ["a/*.eval", "s3://bucket/logs"]
        baseline = "theirs"
        theme = "pm"
        out = "built"
        [evals.reading]
        metric = "match"
        cluster = "metadata.passage_id"
        id = "sample_id"
        errors = "zero"
        runs = "latest"
        match_on = "content_hash"
        category = "Language"
        better = "lower"
        logs = "b.csv"
        [evals."a b"]
        [models]
        "org/model-7b" = "Model"
        [columns]
        question_id = "prompt_id"
    """))  # fmt: skip
    wanted = Options(
        "match",
        "metadata.passage_id",
        "sample_id",
        "zero",
        "latest",
        "content_hash",
        "Language",
        "lower",
    )
    assert settings.options == {"reading": wanted, "a b": Options()}
    assert settings.aliases == {"org/model-7b": "Model"}
    assert settings.logs == {"reading": (str(tmp_path / "b.csv"),)}
    assert settings.columns == {"prompt_id": "question_id"}
    assert settings.sources == (
        str(tmp_path / "a/*.eval"),
        "s3://bucket/logs",
        str(tmp_path / "b.csv"),
    )
    assert (settings.baseline, settings.theme, settings.out) == (
        "theirs",
        "pm",
        str(tmp_path / "built"),
    )


def test_the_file_of_the_current_folder_holds_and_none_is_no_error(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert load() == Settings()
    written(tmp_path, '[evals.x]\nruns = "pool"\n')
    assert load().options == {"x": Options(runs="pool")} and load().file == "reportkit.toml"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[evals.x]\nclsuter = 'a'", "unknown key 'clsuter' in [evals.x]; did you mean 'cluster'?"),
        ("[eval.x]\ncluster = 'a'", "unknown key 'eval'; did you mean 'evals'?"),
        (
            "[evals.x]\nerrors = 'zeros'",
            "evals.x.errors = 'zeros' is none of 'exclude', 'zero'; did you mean 'zero'?",
        ),
        (
            "[evals.'a b']\nruns = 3",
            "evals.\"a b\".runs = 3 is none of 'ask', 'latest', 'first', 'pool'",
        ),
        ("[evals.metric]\nmetric = 3", "evals.metric.metric = 3 must be a text in quotes"),
        ("[evals]\nx = 'y'", "[evals.x] must be a table of keys and values, not 'y'"),
        ("evals = 3", "[evals] must be a table of keys and values, not 3"),
        ("[models]\nraw = 7", "models.raw = 7 must be a text in quotes"),
        (
            "[columns]\nquestoin_id = 'p'",
            "[columns]: 'questoin_id' is no column of the scores table; did you mean 'questio",
        ),
        (
            "[columns]\nx = 'model'",
            "[columns]: 'x' is no column of the scores table; did you mean model = x?",
        ),
        (
            "[columns]\nmodel = 'm'\neval = 'm'",
            "[columns]: column 'm' cannot be both 'model' and 'eval'; name one",
        ),
        ("[columns]\nmodel = 7", "columns.model = 7 must be a text in quotes"),
        ("logs = 7", "logs = 7 must be a text in quotes, or a list of texts"),
        (
            "theme = 'fancy'",
            "theme = 'fancy' is none of 'error-bars', 'plain', 'pm', 'ci', 'stacked'",
        ),
        ("x = ", "not TOML: Invalid value (at end of document)"),
    ],
)
def test_a_slip_is_one_sentence_with_file_key_and_what_is_allowed(tmp_path, text, said):
    path = written(tmp_path, text)
    with pytest.raises(ConfigError) as caught:
        load(path)
    assert "; there are 'e" not in str(caught.value)  # what is allowed is said once
    assert "\n" not in str(caught.value) and str(caught.value).startswith(f"{path}: {said}")


def test_a_named_file_that_is_not_there_is_an_error(tmp_path):
    with pytest.raises(
        ConfigError, match="none.toml: cannot be read: No such file or directory; give another"
    ):
        load(tmp_path / "none.toml")


def test_the_command_line_beats_the_file():
    ours = Settings({"x": Options(metric="acc", cluster="field", runs="first", errors="zero")})
    beaten = ours.beaten_by(
        runs="latest", match_on="content_hash", metric="f1", clusters={"x": "other"}
    )
    assert beaten.options["x"] == Options(runs="latest", match_on="content_hash", errors="zero")
    assert beaten.options[""] == Options(runs="latest", match_on="content_hash")
    assert ours.beaten_by() == ours
    mapped = Settings(columns={"llm": "model", "p": "question_id"}).beaten_by(
        columns={"model": "name"}
    )
    assert mapped.columns == {"name": "model", "p": "question_id"}


def test_names_that_fit_nothing_are_told():
    ours = Settings({"raeding": Options(), "x": Options()}, {"org/m": "M", "org/n": "N"}, file="f")
    assert ours.unused(
        {"reading": "reading", "x (version 1)": "x", "x (version 2)": "x"}, ["M", "org/N"]
    ) == [
        "f: [evals.'raeding'] fits none of the evals; did you mean 'reading'?",
        "f: [models] names 'org/n', which no file has; did you mean 'org/N'?",
    ]
    [said] = Settings({"q": Options()}, file="f").unused(
        {f"x (version {v})": "x" for v in (1, 2)}, []
    )
    assert said.endswith("; there are 'x', 'x (version 1)', 'x (version 2)'")


@pytest.mark.parametrize("text", ["x = " + "[" * 3000, "theme = " + "9" * 6000, 'out = "\\u0000"'])
def test_what_tires_a_parser_is_a_sentence(tmp_path, text):
    with pytest.raises(ConfigError):
        load(written(tmp_path, text))
