"""What the starter model must not write: where a word means something else, or its rule needs what stands beside it."""

from __future__ import annotations

import pytest

from sbmt.simplifier import Options, Simplifier


@pytest.fixture(scope="module")
def simplifier() -> Simplifier:
    return Simplifier.load("starter", Options(alternatives=0))


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("The owl is predominantly nocturnal.", "night"),  # a noun cannot follow "is"
        ("The cause of death was cardiac.", "heart"),
        ("Applications will not be considered.", "seen as"),
        ("Employees are entitled to annual leave.", "can"),
        ("The driver is liable to a fine.", "likely"),
        ("Pay within thirty days.", "Pay in"),
        ("Notwithstanding the foregoing, nothing changes.", "giving up"),
        ("Do not expose the device to water.", "show"),
        ("The river originates in the mountains.", "comes in"),
        ("The striker sustained a serious injury.", "supported"),
        ("He was seen near the premises.", "ideas"),
        ("The firm manufactures engines.", "productions"),
        ("Life expectancy is rising.", "hope"),
        ("A batter against whom three strikes are recorded leaves.", "against who "),
        ("Treatment works when combined with exercise.", "when and"),
        ("The explosion claimed four lives.", "said"),
        ("The mill was turned into a school.", "become"),
        ("The attempts to leave failed.", "tries"),
        ("The results from the survey came late.", "comes"),
        ("It was sold at an estimated cost of two million.", "about"),
        ("Teachers provided time for questions.", "given"),
        ("Careful readers, therefore, will notice it.", "so"),
        ("The hall, although a ruin, is open.", "but"),
        ("It provided that taxes be paid.", " if "),
        ("Trust is routine here.", "regular"),
        ("Write a && b in the file.", "and and"),
        ("Towards the end of the war it closed.", "To the end"),
        ("They led the team to victory.", "win"),
        ("The trial is a major step.", "main"),
        ("The cells carry a mutation.", "change"),
        ("The remainder operation is slow.", "rest"),
        ("He took note of the motion for a resolution.", "movement"),
        ("They were not equipped with maps.", "not with"),
        ("The whisky, an imported brand, was dear.", "brought in"),
        ("The party will resume the talks.", "continue"),
        ("The plan has been suspended by a judge.", "stopped"),
        ("She stood at the till.", "until"),
        ("Government restrictions, instituted in 2006, forbid the export of raw teff grain.", "banned"),
        ("Please return the enclosed form.", "surrounded"),
        ("Do not administer the medicine to children.", "run"),
        ("The claim was dismissed.", "fired"),
        ("The notice is deemed to have been served.", "thought"),
        ("Parking here constitutes an offence.", "makes up"),
        ("He applied for a residence permit.", "home"),
        ("The patient has a rash.", "hasty"),
        ("The balance is outstanding.", "excellent"),
        ("He is a child with impaired hearing.", "damaged"),
        ("The asylum applicant waited.", "candidate"),
        ("The umbilical cord was cut.", "rope"),
    ],
)
def test_a_word_keeps_its_sense(simplifier: Simplifier, text: str, wrong: str) -> None:
    assert wrong not in simplifier.simplify(text).output


def test_the_same_words_change_where_they_may(simplifier: Simplifier) -> None:
    """A rule that needs what follows it finds it."""
    assert simplifier.simplify("He had a cardiac problem.").output == "He had a heart problem."
    assert simplifier.simplify("You are entitled to claim it.").output == "You can claim it."
    assert simplifier.simplify("It was cold, although it was sunny.").output == "It was cold, but it was sunny."
    assert simplifier.simplify("They sell fruit & vegetables.").output == "They sell fruit and vegetables."
    assert simplifier.simplify("The tank is sufficiently large.").output == "The tank is big enough."
    assert simplifier.simplify("There was a reduction in crime.").output == "There was a drop in crime."
    assert simplifier.simplify("They are in cars equipped with radios.").output == "They are in cars with radios."
    assert simplifier.simplify("The appeal was dismissed.").output == "The appeal was rejected."
    assert simplifier.simplify("The balance was an outstanding debt.").output == "The balance was an unpaid debt."
    assert simplifier.simplify("She was an outstanding player.").output == "She was an excellent player."
    assert simplifier.simplify("They attended Harvard.").output == "They went to Harvard."
    assert "heart problems" in simplifier.simplify("The hospital treats cardiac problems.").output
