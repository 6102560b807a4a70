"""The catalogue of all features that weights may name: those of a rule alone, and all others."""

from __future__ import annotations

from sbmt.features.rule.base import FeatureInfo
from sbmt.features.rule.language import describe
from sbmt.features.rule.shape import Shape
from sbmt.features.rule.simplicity import Simplicity
from sbmt.features.sentence.change_odds import CHANGE_LOG_ODDS, CHANGED_WORDS
from sbmt.features.sentence.excepted import EXCEPTED
from sbmt.features.sentence.label_clash import LABEL_CLASH
from sbmt.features.sentence.repeats import REPEATS
from sbmt.ppdb.learn.quality.annotate import RULE_QUALITY
from sbmt.ppdb.release_names import RELEASES

_DECODER, _STARTER, _FROM_PPDB, _LEARNT = "decoder", "starter grammar", "given with PPDB", "sbmt-learn"
_DECODER_FEATURES = (  # names written out are those of sbmt.decoder, which imports this package
    ("lm_N", "ln p of the output by language model N, from 0 (log10 by a Joshua configuration)", "higher: likelier"),
    ("WordPenalty", "-0.43429 (-log10 e) for each word of the output, sentence marks included", "higher: shorter"),
    ("OOVPenalty", "1 for each word that is passed through without a rule", "count"),
    ("PhrasePenalty_OWNER", "1 for each rule from grammars of an owner", "count"),
    ("Changes", "1 for each rule whose two sides differ: what --strength weighs", "count"),
    (LABEL_CLASH, "1 for each rule whose part of speech, or what it writes, does not fit where it is", "count"),
    (REPEATS, "1 for each rule that adds a word that is near it already", "count"),
    (EXCEPTED, "1 for each rule that changes what the starter's list of exceptions keeps", "count"),
    (CHANGED_WORDS, "source words that a rule without gaps does not leave (with a change_model)", "count"),
    (CHANGE_LOG_ODDS, "sum of ln(p/(1-p)) over these, p by the change_model", "higher: likelier to be changed"),
    ("Distortion", "minus the source words jumped over (models of kind phrase)", "higher: closer to its order"),
)
_STARTER_FEATURES = (
    ("StarterSafe", "1 for an entry that is right in nearly every context (head = simpler)", "flag"),
    ("StarterMostly", "1 for an entry that is right in most contexts (head ~ simpler)", "flag"),
    ("StarterRank", "equivalents before this one in its entry", "count"),
    ("StarterSyntactic", "1 for a rule of syntactic.txt, which changes the structure", "flag"),
)
_COUNT_FEATURES = (
    ("Lex(e|f)", "-ln of the lexical weight of the target given the source", "cost"),
    ("Lex(f|e)", "-ln of the lexical weight of the source given the target", "cost"),
    ("LogCount", "ln of how often the rule was seen", "higher: more often"),
    ("RarityPenalty", "exp(1 - count), count being how often the rule was seen", "higher: rarer"),
)
_PPDB_SCORES = (
    ("AGigaSim", "similarity of the contexts of both sides in Annotated Gigaword", "higher: more alike"),
    ("GoogleNgramSim", "similarity of the contexts of both sides in Google's n-grams", "higher: more alike"),
    ("MVLSASim", "cosine of the word vectors of both sides (multiview LSA), in 2.0", "higher: more alike"),
    ("PPDB1.0Score", "the ranking of release 1.0, in 2.0", "as the release has it"),
    ("PPDB2.0Score", "predicted rating of the paraphrase by people, in 2.0", "higher: better"),
    ("Equivalence", "probability that both sides mean the same, in 2.0", "higher: likelier"),
    ("ForwardEntailment", "probability that the source entails the target, in 2.0", "higher: likelier"),
    ("Exclusion", "probability that the sides exclude each other, in 2.0", "higher: likelier"),
    ("OtherRelated", "probability that the sides are related otherwise, in 2.0", "higher: likelier"),
    ("Independent", "probability that the sides are not related, in 2.0", "higher: likelier"),
)
_MERGE_FEATURES = (
    ("NAME:FEATURE", "FEATURE of the rule in the grammar given as --learnt or --evidence NAME=FILE", "as FEATURE"),
    ("In:NAME", "1 for a rule that the grammar of this name has", "flag"),
    ("LearntOnly", "1 for a rule that learnt grammars alone have", "flag"),
)
_LEARNT_FEATURES = (
    ("Listed", "1 for a rule of --pairs", "flag"),
    (RULE_QUALITY, "predicted rating by people, 1 (unrelated) to 5 (same meaning)", "higher: better"),
)


def rule_features() -> list[FeatureInfo]:
    """List the features of a rule alone, family by family; NAME is the name of any language model."""
    return [*Shape.info, *Simplicity.info, *describe("NAME", "the model given as --lm NAME=FILE")]


def other_features() -> list[FeatureInfo]:
    """List the features computed by the decoder and those of grammars, for any N, OWNER and K."""
    probabilities = [name for name in RELEASES["1.0"].values() if name.startswith("p")]
    costs = [(name, f"-ln {name}: f is the source, e the target", "cost") for name in probabilities]
    renamed = [(new, f"{old} by its name in 2.0", "cost") for new, old in RELEASES["1.0"].items()]
    meaning = "number K, from 0, of a rule whose file gives no names, negated (its ln in a phrase table)"
    unnamed = ("tm_OWNER_K", meaning, "as the file has it")
    rows = [
        (_DECODER, _DECODER_FEATURES),
        (_STARTER, _STARTER_FEATURES),
        (f"{_FROM_PPDB} or by {_LEARNT}", (*costs, *_COUNT_FEATURES)),
        (_FROM_PPDB, (*renamed, *_PPDB_SCORES)),
        (_LEARNT, _LEARNT_FEATURES),
        ("sbmt-rules merge", _MERGE_FEATURES),
        ("Joshua's and Moses' grammars", (unnamed,)),
    ]
    return [FeatureInfo(*row, source) for source, family in rows for row in family]
