"""reportkit.toml: what it decides, that the command line beats it, a sentence for every slip."""

import json

import jsonschema
import pytest
from support.places import ROOT

from reportkit.decisions import PER_EVAL, SPECS, Decisions
from reportkit.decisions.prices import prices_of
from reportkit.decisions.values import published_of
from reportkit.inputs.layouts import Layouts
from reportkit.loading.config import Settings, load
from reportkit.loading.config.keys import ConfigError, file_schema


def written(tmp_path, text: str):
    path = tmp_path / "reportkit.toml"
    path.write_text(text, encoding="utf-8")
    return path


OF_EVAL = {
    "metric": "match",
    "cluster": "metadata.passage_id",
    "better": "lower",
    "range": "f1:0,1",
    "errors": "zero",
    "runs": "latest",
    "match_on": "content_hash",
    "id": "sample_id",
    "category": "Language",
    "margin": 0.02,
    "weights": "metadata.weight",
    "strata": "metadata.subject",
    "name": "Reading",
    "metric_name": "EM",
    "weight": 2,
    "published": "Z:0.5",
    "crossed": "metadata.template",
    "positive": "metadata.target:yes",
    "covariates": "metadata.digits,carry",
}
OF_ALL = {
    "eval": ["reading", "a, b"],
    "baseline": "theirs",
    "level": 0.9,
    "power": 0.7,
    "tables": ["posterior", "pass"],
    "certificate": True,
    "seed": 7,
    "prior": "jeffreys",
    "theme": "pm",
    "digits": 2,
    "hide": ["shots", "metric"],
    "csv_text": "raw",
    "rows": "models",
    "order": "Code",
    "average": "questions",
    "prices": "ours: 3, 15",
    "currency": "EUR",
}


def lines(values: dict) -> str:
    """Keys of TOML; its texts, lists, numbers and truth values are written as JSON's are."""
    return "".join(f"{key} = {json.dumps(value)}\n" for key, value in values.items())


def test_a_range_is_a_list_a_text_or_a_table_of_metrics(tmp_path):
    for written_so in ("[1, 10.0]", "'1,10'", "{judge = [1, 10]}"):
        [d] = [load(written(tmp_path, f"[evals.x]\nrange = {written_so}\n")).decisions]
        assert d.of("x").range == "judge:" * ("judge" in written_so) + "1,10"


def test_published_scores_are_a_table_of_models(tmp_path):
    text = "[evals.x.published]\n'Z 2' = 0.5\nY = {score = 1, source = 'Y 2024'}\n"
    found = load(written(tmp_path, text)).decisions.of("x").published
    assert published_of(found) == {"Z 2": (0.5, ""), "Y": (1.0, "Y 2024")}
    with pytest.raises(ConfigError, match=r"evals.x.published = .* must be a table of models"):
        load(written(tmp_path, "[evals.x]\npublished = 5\n"))


def test_prices_are_a_table_of_models(tmp_path):
    text = "currency = 'EUR'\n[prices.'org/m 2']\ninput = 3\noutput = 15.5\ncache_read = 0.3\n"
    found = load(written(tmp_path, text)).decisions
    told = prices_of(found.prices)["org/m 2"]
    assert (told.input, told.output, told.cache_read, found.currency) == (3.0, 15.5, 0.3, "EUR")
    assert told.cache_write != told.cache_write
    for wrong, said in (
        ("[prices.m]\ninput = 3\n", r":1: prices = .* says no prices"),
        ("[prices.m]\ninput = 3\noutput = 'x'\n", "must be a table of models, each with input"),
        ("prices = 5\n", "must be a table of models, each with input and output"),
        ("[prices.m]\ninput = 3\noutput = -1\n", "says no prices; write MODEL:INPUT,OUTPUT"),
    ):
        with pytest.raises(ConfigError, match=said):
            load(written(tmp_path, wrong))


def test_every_key_reaches_its_decision(tmp_path):
    settings = load(
        written(
            tmp_path,
            'logs = ["a/*.eval", "s3://bucket/logs"]\nout = "built"\n'
            + lines(OF_ALL)
            + f'[evals.reading]\nlogs = "b.csv"\n{lines(OF_EVAL)}'
            + '[evals."a b"]\n[models]\n"org/model-7b" = "Model"\n'
            + '[columns]\nquestion_id = "prompt_id"\n',
        )
    )
    # Every decision there is: one that is added has to be added here. [models] stands for models.
    assert {*OF_ALL, "models", *OF_EVAL} == set(SPECS) and set(OF_EVAL) == set(PER_EVAL)
    assert settings.decisions == Decisions(
        **OF_ALL | {"eval": ("reading", "a, b"), "hide": ("shots", "metric")},
        evals={"reading": OF_EVAL, "a b": {}},
    )
    assert settings.aliases == {"org/model-7b": "Model"}
    assert settings.logs == {"reading": (str(tmp_path / "b.csv"),)}
    assert settings.layouts.columns == {"question_id": "prompt_id"}
    assert settings.sources == (
        str(tmp_path / "a/*.eval"),
        "s3://bucket/logs",
        str(tmp_path / "b.csv"),
    )
    assert settings.out == str(tmp_path / "built")


def test_what_is_decided_for_all_evals_stands_at_the_top(tmp_path):
    text = lines(OF_EVAL) + 'models = ["A", "B"]\n[aliases]\n"org/a" = "A"\n'
    settings = load(written(tmp_path, text))
    assert settings.decisions == Decisions(**OF_EVAL, models=("A", "B"))
    assert settings.aliases == {"org/a": "A"}


def test_the_schema_that_ships_is_the_files(tmp_path):
    """What it says of a file is what reading the file says."""
    shipped = json.loads((ROOT / "reportkit" / "reportkit-toml.schema.json").read_text())
    assert shipped == file_schema(), "run `make schemas`"
    good = OF_ALL | OF_EVAL | {"models": ["A"], "evals": {"x": OF_EVAL | {"logs": "a"}}}
    jsonschema.validate(good, shipped)
    jsonschema.validate({"models": {"org/a": "A"}, "columns": {"model": "llm"}}, shipped)
    for wrong in ({"levle": 0.9}, {"theme": "fancy"}, {"evals": {"x": {"level": 0.9}}}):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(wrong, shipped)


def test_the_file_of_the_current_folder_holds_and_none_is_no_error(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert load() == Settings()
    written(tmp_path, '[evals.x]\nruns = "pool"\n')
    assert load().decisions.of("x").runs == "pool" and load().file == "reportkit.toml"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[evals.x]\nclsuter = 'a'", "unknown key 'clsuter' in [evals.x]; did you mean 'cluster'?"),
        ("[eval.x]\ncluster = 'a'", "[eval] names evals, and is no table; did you mean [evals.x]?"),
        (
            "[evals.x]\nerrors = 'zeros'",
            "evals.x.errors = 'zeros' is none of 'exclude', 'zero'; did you mean 'zero'?",
        ),
        (
            "[evals.'a b']\nruns = 3",
            "evals.\"a b\".runs = 3 is none of 'ask', 'latest', 'first', 'pool'",
        ),
        ("[evals.metric]\nmetric = 3", "evals.metric.metric = 3 must be a text in quotes"),
        ("range = 3", "range = 3 must be written as LOW,HIGH in quotes, or as a list [LOW,HIGH]"),
        (
            "[evals.x]\nrange = [0, 'a']",
            "evals.x.range = [0, 'a'] must be written as LOW,HIGH in quotes, or as a list",
        ),
        ("range = [1, 0]", "range = [1, 0] runs backwards: write 0,1"),
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
            "theme = 'fancy' is none of 'error-bars', 'plain', 'pm', 'ci', 'stacked', 'pp'",
        ),
        ("level = 95", "level = 95 is no share between 0 and 1: write 95% as 0.95"),
        ("level = '0.9'", "level = '0.9' must be a number"),
        ("certificate = 1", "certificate = 1 must be true or false"),
        ("eval = 7", "eval = 7 must be a text in quotes, or a list of texts"),
        ("models = 7", "[models] must be a table of keys and values, not 7"),
        ("[evals.x]\nlevel = 0.9", "unknown key 'level' in [evals.x]; there are 'metric'"),
        ("x = ", "not TOML: Invalid value (at end of document)"),
        (
            "models = ['a']\n[models]\na = 'b'",
            "not TOML: Cannot declare ('models',) twice (at line 2, column 8); beside a list of "
            "models, the section is called [aliases]",
        ),
    ],
)
def test_a_slip_is_one_sentence_with_file_line_and_what_is_allowed(tmp_path, text, said):
    path = written(tmp_path, text)
    # a slip stands in the last line, but where a table is meant, or two lines of one
    line = 1 if said.startswith(("[eval]", "[columns]: column")) else text.count("\n") + 1
    where = f"{path}: " if said.startswith("not TOML") else f"{path}:{line}: "
    with pytest.raises(ConfigError) as caught:
        load(path)
    assert "; there are 'e" not in str(caught.value)  # what is allowed is said once
    assert "\n" not in str(caught.value) and str(caught.value).startswith(where + said)


def test_every_mistake_is_told_at_once_with_its_line(tmp_path):
    path = written(
        tmp_path,
        'levle = 0.9\nlevel = 95\nlogs = [\n  "a",\n  "b",\n]\n\n# a comment\n'
        '[evals."a b"]\nrange = [1, 0]\nruns = "lates"\n\n[columns]\nquestoin_id = "p"\nx = "y"\n',
    )
    with pytest.raises(ConfigError) as caught:
        load(path)
    told = [line.removeprefix(f"{path}:") for line in str(caught.value).splitlines()]
    assert [int(line.partition(":")[0]) for line in told] == [1, 2, 10, 11, 14, 15]
    assert told[0].startswith("1: unknown key 'levle'; did you mean 'level'?")
    assert "11: evals.\"a b\".runs = 'lates' is none of" in told[3]


def test_a_named_file_that_is_not_there_is_an_error(tmp_path):
    with pytest.raises(
        ConfigError, match="none.toml: cannot be read: No such file or directory; give another"
    ):
        load(tmp_path / "none.toml")


def test_columns_of_the_command_line_come_before_those_of_the_file():
    own = Layouts(columns={"model": "llm", "question_id": "p"})
    mapped = Settings(layouts=own).with_layout({"model": "name"})
    assert mapped.layouts.of("a.csv").columns == {"model": "name", "question_id": "p"}
    assert mapped.said == ("--columns", "model=name")


def test_names_that_fit_nothing_are_told():
    ours = Settings(
        Decisions(evals={"raeding": {}, "x": {}}), {"org/m": "M", "org/n": "N"}, file="f"
    )
    assert ours.unused(
        {"reading": "reading", "x (version 1)": "x", "x (version 2)": "x"}, ["M", "org/N"]
    ) == [
        "f: [evals.'raeding'] fits none of the evals; did you mean 'reading'?",
        "f: it renames 'org/n', which no file has; did you mean 'org/N'?",
    ]
    priced = Settings(Decisions(prices="our:1,2;Gamma:1,2;ours:1,2"), file="f")
    assert priced.unused({}, ["ours", "theirs"]) == [
        "f: [prices] names 'our', as no model is called; did you mean 'ours'?"
    ]
    # of a command, every one of them
    assert priced.unused({}, ["ours"], Decisions(prices="Gamma:1,2").prices) == [
        "prices names 'Gamma', as no model is called; there are 'ours'"
    ]
    [said] = Settings(Decisions(evals={"q": {}}), file="f").unused(
        {f"x (version {v})": "x" for v in (1, 2)}, []
    )
    assert said.endswith("; there are 'x', 'x (version 1)', 'x (version 2)'")


@pytest.mark.parametrize("text", ["x = " + "[" * 3000, "theme = " + "9" * 6000, 'out = "\\u0000"'])
def test_what_tires_a_parser_is_a_sentence(tmp_path, text):
    with pytest.raises(ConfigError):
        load(written(tmp_path, text))
