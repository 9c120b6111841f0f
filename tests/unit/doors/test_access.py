import pytest
from hypothesis import given
from hypothesis import strategies as st

from tuwen.app.doors import access


def test_a_key_names_its_owner_or_is_its_own():
    owners = access.owners_of(["alice:s1", "bare-secret", "we ird:x"])
    assert owners["s1"] == "alice"
    assert owners["bare-secret"].startswith("key-")
    assert "bare-secret" not in owners["bare-secret"]
    assert access.owner_by_secret(owners, "s1") == "alice"
    assert access.owner_by_secret(owners, "alice:s1") is None
    assert access.owner_by_secret(owners, "") is None


@pytest.mark.parametrize(
    ("headers", "secret"),
    [
        ({"authorization": "Bearer s1"}, "s1"),
        ({"authorization": "bearer  s1 "}, "s1"),
        ({"x-api-key": "s2"}, "s2"),
        ({"authorization": "Basic s1"}, ""),
        ({}, ""),
    ],
)
def test_the_secret_is_read_from_either_header(headers, secret):
    assert access.presented(headers) == secret


def test_private_collections_are_their_owners_alone():
    name = access.private_name("alice", "papers")
    assert access.may_use("alice", name)
    assert not access.may_use("bob", name)
    assert not access.may_use("ali", name)
    assert access.may_use("bob", "papers")
    assert access.shown_name("alice", name) == "papers"
    assert access.is_thread_collection(access.thread_collection("alice", "t"))
    assert not access.is_thread_collection(name)


@given(st.text(max_size=20), st.text(max_size=20), st.integers(0, 10**10))
def test_a_signature_fits_one_name_and_one_expiry(name, other, expires):
    secret = b"k"
    signature = access.sign(secret, name, expires)
    assert access.signature_holds(secret, name, expires, signature, now=expires)
    assert not access.signature_holds(secret, name, expires, signature, now=expires + 1)
    assert not access.signature_holds(secret, name, expires + 1, signature, now=0)
    assert not access.signature_holds(b"other", name, expires, signature, now=0)
    if other != name:
        assert not access.signature_holds(secret, other, expires, signature, now=0)
