import pytest

from tuwen.app.config import load_settings
from tuwen.core.errors import SettingsError


def test_defaults_need_nothing(tmp_path):
    settings = load_settings({}, folder=tmp_path)
    assert settings.chat.model == ""
    assert settings.retrieval.rrf_k == 60


def test_environment_wins_over_toml(tmp_path):
    (tmp_path / "tuwen.toml").write_text("[chat]\nmodel = 'a'\nmax_tokens = 99\n", encoding="utf-8")
    settings = load_settings({"TUWEN_CHAT__MODEL": "b"}, folder=tmp_path)
    assert (settings.chat.model, settings.chat.max_tokens) == ("b", 99)


def test_numbers_lists_and_json_are_read_from_text(tmp_path):
    env = {
        "TUWEN_RETRIEVAL__MMR_LAMBDA": "0.5",
        "TUWEN_SERVER__API_KEYS": "one, two",
        "TUWEN_CHAT__EXTRA_BODY": '{"enable_thinking": false}',
    }
    settings = load_settings(env, folder=tmp_path)
    assert settings.retrieval.mmr_lambda == 0.5
    assert [key.get_secret_value() for key in settings.server.api_keys] == ["one", "two"]
    assert settings.chat.extra_body == {"enable_thinking": False}


@pytest.mark.parametrize("key", ["TUWEN_CHATT__MODEL", "TUWEN_CHAT__MODLE", "TUWEN_HOMEE"])
def test_unknown_keys_are_refused_by_name(tmp_path, key):
    with pytest.raises(SettingsError, match=key):
        load_settings({key: "x"}, folder=tmp_path)


def test_a_number_out_of_bounds_names_the_setting(tmp_path):
    with pytest.raises(SettingsError, match="TUWEN_RETRIEVAL__MMR_LAMBDA"):
        load_settings({"TUWEN_RETRIEVAL__MMR_LAMBDA": "3"}, folder=tmp_path)


def test_broken_toml_is_said(tmp_path):
    (tmp_path / "tuwen.toml").write_text("[chat\n", encoding="utf-8")
    with pytest.raises(SettingsError, match="no valid TOML"):
        load_settings({}, folder=tmp_path)


def test_keys_do_not_show_when_printed(tmp_path):
    settings = load_settings({"TUWEN_CHAT__API_KEY": "sk-secret"}, folder=tmp_path)
    assert "sk-secret" not in repr(settings)
