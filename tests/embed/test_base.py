from __future__ import annotations

import dataclasses
import json

import pytest

from brainkit.embed.base import Identity
from brainkit.errors import EmbedderUnavailable

BGE = Identity(provider="local", model="bge", dim=384, revision="68807e", query_prefix="Find: ")
OTHER_VALUES = {
    "provider": "callable",
    "model": "gte",
    "dim": 385,
    "revision": "68807f",
    "query_prefix": "",
    "document_prefix": "Text: ",
    "normalized": False,
    "max_tokens": 512,
}


def test_an_identity_survives_its_dict() -> None:
    assert Identity.from_dict(BGE.to_dict()) == BGE
    assert Identity.from_dict(BGE.to_dict()).digest == BGE.digest


def test_the_digest_names_files_so_it_must_never_change() -> None:
    plain = Identity(provider="p", model="m", dim=2, revision="r")
    # sha256 of {"dim":2,"document_prefix":"","max_tokens":null,"model":"m","normalized":true,
    # "provider":"p","query_prefix":"","revision":"r"}, the keys sorted, no spaces
    assert plain.digest == "2a8df4e913ef23f1"


@pytest.mark.parametrize("field", [f.name for f in dataclasses.fields(Identity) if f.compare])
def test_every_field_makes_another_identity(field: str) -> None:
    other = dataclasses.replace(BGE, **{field: OTHER_VALUES[field]})
    assert other != BGE
    assert other.digest != BGE.digest


def test_probes_and_where_it_runs_stand_beside_the_name() -> None:
    probed = dataclasses.replace(BGE, probes=(0.5, -1.25), hosted=False)
    assert (probed, hash(probed), probed.digest) == (BGE, hash(BGE), BGE.digest)
    back = Identity.from_dict(json.loads(json.dumps(probed.to_dict())))
    assert (back.probes, back.hosted) == ((0.5, -1.25), False)
    assert not {"probes", "hosted"} & set(BGE.to_dict())


@pytest.mark.parametrize(
    ("probes", "agrees"),
    [((0.5, -1.25), True), ((0.54, -1.21), True), ((0.56, -1.25), False), ((0.5,), False),
     (None, True)],
)  # fmt: skip
def test_identities_agree_when_each_probe_is_within_0_05(
    probes: tuple[float, ...] | None, agrees: bool
) -> None:
    """Where one was never asked, its name is believed."""
    ours = dataclasses.replace(BGE, probes=(0.5, -1.25))
    other = dataclasses.replace(BGE, probes=probes)
    assert ours.agrees(other) is other.agrees(ours) is agrees
    assert not ours.agrees(dataclasses.replace(ours, revision="2"))


def test_an_unknown_field_is_refused_by_name() -> None:
    with pytest.raises(EmbedderUnavailable, match=r"'modle'.*did you mean 'model'.*upgrade"):
        Identity.from_dict({**BGE.to_dict(), "modle": "x"})
