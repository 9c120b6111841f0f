"""The chat page in a headless browser: ask, open a citation, figures, upload, language."""

import asyncio
import os
import shutil
import threading
import time
from pathlib import Path

import pytest
import uvicorn

from tests.integration.doors_server import free_port
from tuwen.app.config import load_settings
from tuwen.app.doors.opened import Opened
from tuwen.app.ingest import ingest
from tuwen.app.server import make_app
from tuwen.app.services import open_services
from tuwen.core.options import IngestOptions
from tuwen.graph.ingest import build_ingest_graph

webdriver = pytest.importorskip("selenium.webdriver", reason="selenium is not installed")
from selenium.common.exceptions import StaleElementReferenceException  # noqa: E402
from selenium.webdriver.common.by import By  # noqa: E402
from selenium.webdriver.support.ui import WebDriverWait  # noqa: E402

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
DRIVER = shutil.which("chromedriver")
pytestmark = [
    pytest.mark.e2e,
    pytest.mark.skipif(not (CHROMIUM and DRIVER), reason="chromium or chromedriver is missing"),
]
SAMPLES = Path(__file__).resolve().parents[2] / "samples"
SHOTS = os.environ.get("TUWEN_SCREENSHOTS", "")


@pytest.fixture(scope="module")
def url(tmp_path_factory):
    settings = load_settings({}, home=tmp_path_factory.mktemp("page") / "home")
    with open_services(settings) as services:
        graph = build_ingest_graph(services).compile()
        folder = str(SAMPLES / "青川河水情年报")
        asyncio.run(ingest(graph, [folder], options=IngestOptions(collection="水情年报")))
    app = make_app(Opened(settings))
    port = free_port()
    config = uvicorn.Config(app, host="127.0.0.1", port=port, log_level="warning", ws="none")
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        assert thread.is_alive()
        time.sleep(0.05)
    yield f"http://127.0.0.1:{port}"
    server.should_exit = True
    thread.join(timeout=20)


@pytest.fixture(scope="module")
def browser(url):
    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM
    for flag in ("--headless=new", "--no-sandbox", "--window-size=1500,1000", "--lang=zh-CN"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    service = webdriver.ChromeService(executable_path=DRIVER)
    driver = webdriver.Chrome(options=options, service=service)
    driver.get(f"{url}/app")
    yield driver
    driver.quit()


def wait(browser, found, seconds=60):
    # The page draws its lists anew while a test looks at them.
    again = [StaleElementReferenceException]
    return WebDriverWait(browser, seconds, ignored_exceptions=again).until(found)


def ask(browser, question):
    box = browser.find_element(By.ID, "question")
    box.send_keys(question)
    before = len(browser.find_elements(By.CSS_SELECTOR, ".answer"))
    browser.find_element(By.ID, "send").click()
    wait(browser, lambda b: len(b.find_elements(By.CSS_SELECTOR, ".answer[data-done]")) > before)
    return browser.find_elements(By.CSS_SELECTOR, ".answer")[-1]


def upload(browser, *paths, into="default"):
    field = browser.find_element(By.ID, "into")
    field.clear()
    field.send_keys(into)
    browser.find_element(By.ID, "files").send_keys("\n".join(str(path) for path in paths))
    wait(
        browser, lambda b: b.find_elements(By.CSS_SELECTOR, "#reports li.ready, #reports li.failed")
    )
    reports = browser.find_elements(By.CSS_SELECTOR, "#reports li")
    return [(item.get_attribute("class"), item.text) for item in reports]


def loaded(browser, picture):
    script = "return arguments[0].complete && arguments[0].naturalWidth > 0"
    return wait(browser, lambda b: b.execute_script(script, picture))


def shot(browser, name):
    if SHOTS:
        browser.save_screenshot(str(Path(SHOTS) / name))


def test_the_fullest_collection_is_chosen_when_the_default_one_is_empty(browser):
    wait(browser, lambda b: "水情年报" in b.find_element(By.CSS_SELECTOR, ".chosen").text)
    assert browser.find_element(By.ID, "into").get_attribute("value") == "水情年报"


def test_an_upload_is_asked_about_and_its_citation_opens_the_page(browser):
    reports = upload(browser, SAMPLES / "small-hydro-handbook.pdf")
    assert reports[0][0] == "ready", reports
    wait(browser, lambda b: "hydro" in b.find_element(By.ID, "documents").text.lower())
    answer = ask(browser, "What does Figure 2.1 show?")
    picture = answer.find_element(By.CSS_SELECTOR, "figure img")
    loaded(browser, picture)
    assert answer.find_elements(By.CSS_SELECTOR, ".sources li")
    trace = answer.find_element(By.CSS_SELECTOR, ".trace")
    assert "dense" in trace.get_attribute("textContent")
    shot(browser, "page.png")
    answer.find_element(By.CSS_SELECTOR, ".cite, .source").click()
    page = browser.find_element(By.ID, "viewer-picture")
    loaded(browser, page)
    assert browser.find_element(By.ID, "viewer-quote").text
    shot(browser, "page-citation.png")
    browser.find_element(By.ID, "close").click()


def test_markup_in_documents_and_names_never_runs(browser, tmp_path):
    name = tmp_path / "x<img src=x onerror=alert(1)>.md"
    name.write_text(
        "# <script>window.hacked=1</script> Valve\n\n"
        "| state | note |\n|---|---|\n| open | <img src=x onerror=window.hacked=1> |\n\n"
        "The valve is normally open <iframe src=javascript:alert(1)></iframe>"
        " [here](javascript:window.hacked=1).\n",
        encoding="utf-8",
    )
    upload(browser, name)
    answer = ask(browser, "Is the valve normally open?")
    assert "normally open" in answer.text
    html = browser.find_element(By.TAG_NAME, "main").get_attribute("innerHTML").lower()
    for bad in ("<script", "<iframe", "onerror=", 'href="javascript'):
        assert bad not in html
    assert browser.execute_script("return window.hacked") is None


def test_a_broken_file_is_refused_in_words(browser, tmp_path):
    broken = tmp_path / "broken.pdf"
    broken.write_bytes(b"%PDF-1.7 nothing")
    state, text = upload(browser, broken)[0]
    assert state == "failed"
    assert "broken.pdf" in text
    assert str(tmp_path) not in text


def test_the_language_changes(browser):
    before = browser.find_element(By.ID, "send").text
    browser.find_element(By.ID, "language").click()
    after = browser.find_element(By.ID, "send").text
    assert {before, after} == {"提问", "Ask"}


def test_a_collection_is_chosen_and_answers_in_chinese(browser):
    browser.find_element(By.ID, "fresh").click()
    if browser.find_element(By.ID, "send").text == "Ask":
        browser.find_element(By.ID, "language").click()
    button = (By.XPATH, "//ul[@id='collections']//button[contains(., '水情年报')]")
    wait(browser, lambda b: b.find_element(*button).click() is None)
    wait(browser, lambda b: "水情年报" in b.find_element(By.CSS_SELECTOR, ".chosen").text)
    answer = ask(browser, "图2.1是什么？")
    loaded(browser, answer.find_element(By.CSS_SELECTOR, "figure img"))
    assert "图2.1" in answer.text.replace(" ", "")
    answer.find_element(By.CSS_SELECTOR, ".trace summary").click()
    assert "检索式" in answer.find_element(By.CSS_SELECTOR, ".trace").text
    shot(browser, "page-zh.png")


def test_the_trace_of_a_turn_tells_legs_ranks_and_why_hits_were_left_out(browser):
    trace = browser.find_elements(By.CSS_SELECTOR, ".answer .trace")[-1]
    if not trace.get_attribute("open"):
        trace.find_element(By.TAG_NAME, "summary").click()
    browser.execute_script("arguments[0].scrollIntoView()", trace)
    rows = trace.find_elements(By.CSS_SELECTOR, "tbody tr")
    assert any("dense" in row.text and "keyword" in row.text for row in rows)
    for row in rows:
        assert row.find_elements(By.TAG_NAME, "td")[-1].text
    shot(browser, "page-trace.png")


def test_progress_is_told_while_files_are_read(browser):
    seen = """
        window.stages = [];
        new MutationObserver(() => window.stages.push(document.getElementById('reports').innerText))
            .observe(document.getElementById('reports'), {childList: true, subtree: true});
    """
    browser.execute_script(seen)
    upload(browser, sorted((SAMPLES / "notes").rglob("*.md"))[0])
    told = browser.execute_script("return window.stages")
    assert any("1/1" in text for text in told)


def test_a_phone_reaches_collections_uploads_and_pages(browser):
    size = browser.get_window_size()
    phone = {"width": 390, "height": 844, "deviceScaleFactor": 2, "mobile": True}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", phone)
    try:
        browser.find_element(By.ID, "fresh").click()
        side = browser.find_element(By.ID, "side")
        assert not side.is_displayed()
        browser.find_element(By.ID, "menu").click()
        assert side.is_displayed()
        assert browser.find_element(By.ID, "drop").is_displayed()
        shot(browser, "phone-menu.png")
        button = (By.XPATH, "//ul[@id='collections']//button[contains(., 'default')]")
        wait(browser, lambda b: b.find_element(*button).click() is None)
        assert not side.is_displayed()
        wait(browser, lambda b: b.find_element(By.ID, "where").text == "default")
        answer = ask(browser, "What does Figure 2.1 show?")
        loaded(browser, answer.find_element(By.CSS_SELECTOR, "figure img"))
        wide = "return document.documentElement.scrollWidth <= window.innerWidth"
        assert browser.execute_script(wide)
        shot(browser, "phone.png")
        answer.find_element(By.CSS_SELECTOR, ".source").click()
        loaded(browser, browser.find_element(By.ID, "viewer-picture"))
        shot(browser, "phone-page.png")
        browser.find_element(By.ID, "close").click()
        assert not browser.find_element(By.ID, "viewer").is_displayed()
    finally:
        browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
        browser.set_window_size(size["width"], size["height"])


def test_the_browser_has_nothing_to_complain_about(browser):
    log = [entry for entry in browser.get_log("browser") if entry["level"] == "SEVERE"]
    assert not log
