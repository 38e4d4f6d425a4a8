"""Words that are no name by themselves, however they are written: folded, by reason."""

from __future__ import annotations

from typing import Final

_FUNCTION_WORDS: Final = """
a about above across after afterwards again against ago all almost alone along already also although
always am amid among amongst an and another any anybody anyhow anyone anything anyway anywhere apart
are aren around as aside at away back be became because become becomes been before beforehand behind
being below beneath beside besides best better between beyond both but by came can cannot cant cause
come could couldn d despite did didn do does doesn doing don done down due during each either else
elsewhere enough especially etc even ever every everybody everyone everything everywhere except far
few fewer following for former formerly from further furthermore get gets getting give given go goes
going gone got had hadn hardly has hasn have haven having he hence her here hers herself him himself
his how however i ie if in indeed inside instead into is isn it its itself just keep keeps kept know
known last later latter least less let lets like likewise little ll longer lot lots m made mainly
make makes making many may maybe me mean means meanwhile merely might mine more moreover most mostly
much must my myself namely near nearly need needs neither never nevertheless next no nobody none
nonetheless nor not nothing notwithstanding now nowadays nowhere o of off often ok okay on once one
ones oneself only onto or other others otherwise ought our ours ourselves out outside over own part
partly per perhaps please plus possible possibly previous previously probably put quite rather re
really regarding s said same saw say says see seem seemed seems seen several shall she should
shouldn since so some somebody somehow someone something sometimes somewhere soon still such t take
taken takes than that the their theirs them themselves then there thereafter thereby therefore
therein these they thing things think this those though through throughout thus till to together too
took toward towards try two under underneath unless unlike until unto up upon us use used uses using
usual usually various ve very via was wasn way we well went were weren what whatever when whence
whenever where whereas whereby wherein wherever whether which whichever while who whoever whole whom
whose why will with within without won would wouldn yes yet you your yours yourself yourselves
"""

_OPENERS: Final = """
accordingly actually add added additional additionally adds allow allows alternatively answer
appendix apply arguably ask assume assuming author avoid bad based basically begin believe born both
bottom bug bugs build built bump call called calls case caution certainly change changed changelog
changes chapter check choose clearly close common compare compared conclusion consider considering
content contents contrary conversely copy correct create created creates currently danger date day
days default defaults define defined delete deprecated describe description detail details determine
died different directed disable discussion download earlier easy edit eight eighth email enable
ensure equally error errors essentially eventually every evidently exactly example examples explain
explore extend fact false feature features fifth fig figure file files final finally find first five
fix fixed fixes fortunately four fourth full function general generally good great guide half help
hint home hopefully ideally imagine implement important improve incidentally include included
includes including increasingly info initially input inspired install installation interestingly
introduction issue issues item items join keep key large largely lately learn left legal level
license line link list load long look looking main male married materials maximum meanwhile method
methods middle minimum minor module monthly months move name names naturally new news nine ninth
normally notably note notes notice number obviously occasionally official old open option optional
optionally options order ordinarily originally output overall overview owing page pages param
parameter parameters params particularly pass people place point pre prefer presumably
primarily prior problem problems produced provide provided provides question questions quick raise
raised raises ran read reader reason recent recently refer reference references related
release released remember remove removed removes rename replace report require required requires
respectively result results return returned returning returns review reviews right root row rows run
running runs sadly sample scholars second secondly section sections select send set sets setting
settings setup seven seventh show showing shown shows similar similarly simple simply six sixth skip
small software solution sometimes source specifically specify starring start started starting starts
step steps stop store strangely strictly subsequently suddenly sum summary support supported
supports suppose surely surprisingly table tables ten tenth test tests text third thirdly three time
times tip tips title todo top total true truly turn tutorial twelve twenty type types typically
ultimately understand unfortunately update updated updates upgrade url usage user users value values
verify version versions view wait want warning warnings whats word words work works worse worst
write written wrong year years zero
"""
"""What opens sentences, headings, notes and docstrings, and so is often capitalised."""

_PAPERS: Final = """
abstract aim aims analysis association associations background clinical conclusions context
copyright current data design discussion effect effects evidence findings high higher human
implications importance individuals interventions low lower main measurement measurements measures
men objective objectives outcome outcomes participants patients people present published purpose
significance significant studies study subjects women young
"""
"""The parts and the people of papers, which their abstracts write large."""

_NUMBERS: Final = """
corp dozens eighteen eighty eleven fifteen fifty forty fourteen hundred hundreds ii iii inc iv ix
ltd million millions nineteen ninety seventeen seventy sixteen sixty thirteen thirty thousand
thousands vi vii viii xi xii xiii xiv xv
"""

_CALENDAR: Final = """
ad am apr april aug august autumn bc bce ce dec december feb february fri friday jan january jul
july jun june mar march may mon monday nov november oct october pm sat saturday sep sept september
spring summer sun sunday thu thur thurs thursday tue tues tuesday wed wednesday winter
"""
"""Two texts that both name November have nothing else in common."""

_PEOPLES: Final = """
african albanian algerian american arab arabian arabic argentine argentinian armenian asian
australian austrian azerbaijani bangladeshi basque belarusian belgian bengali bohemian bolivian
bosnian brazilian breton british buddhist bulgarian burmese byzantine cambodian cameroonian canadian
cantonese caribbean catalan catholic celtic central chilean chinese christian colombian cornish
croat croatian cuban cypriot czech czechoslovak danish dominican dutch east eastern ecuadorian
egyptian english eritrean estonian ethiopian european filipino finnish flemish french gaelic
galician georgian german germanic ghanaian greek guatemalan gujarati haitian hawaiian hebrew hindi
hindu hungarian icelandic indian indonesian iranian iraqi irish islamic israeli italian jamaican
japanese javanese jewish jordanian kannada kazakh kenyan korean kurdish kyrgyz latin latvian
lebanese liberian libyan lithuanian luxembourgish macedonian malay malayalam malaysian maltese
mandarin marathi mediterranean mexican moldovan mongolian montenegrin moroccan muslim nepalese
nepali nigerian nordic norman norse north northern norwegian orthodox ottoman pakistani palestinian
panamanian paraguayan persian peruvian polish portuguese protestant prussian punjabi roman romanian
russian sanskrit saudi saxon scandinavian scots scottish senegalese serb serbian sicilian sinhala
slavic slovak slovene slovenian somali south southern soviet spaniard spanish sudanese swedish swiss
syrian taiwanese tamil telugu thai tibetan tunisian turkish ugandan ukrainian urdu uruguayan uzbek
venezuelan vietnamese welsh west western yugoslav zimbabwean
"""
"""What says whose or where a thing is (an American film) names no thing; America is a name."""

_TITLES: Final = """
baron count countess dr duchess duke earl emperor empress jr king lady lord miss mr mrs ms pope
prince princess prof queen saint sir sr st
"""
"""Before or after a name; Miss alone is nobody."""

_OTHER_LANGUAGES: Final = """
aan aber al alla alle als am ante ao aos as au auch auf aus aux avec bei bij ce ces cette che ci col
com como con cual da dal dalla dans das dat de degli dei del della delle dem den der des desde deze
di die dit do donde dos du e een ein eine einem einen einer eines el ela ele eles ella elle ellos em
en er es est esta este esto et fur gli ha het hij ho ich ik il ils im io isso ist je la las le les
leur lo los ma maar mais mas met mi mit muy na naar nach nas nel nella nem nicht niet no noi non nos
nous num numa oder om ons onze ook op os ou par para pas pela pelo per pero piu por porque pour
quando que questo qui sa sao se sem ses seu si sie sin sind sobre son sono sont su sua sur sus
tambien te tem ten ter tra tu uber uit um un und une uno van voce vom von voor vor vous wat werd wie
wir wordt y zij zijn zu zum zur
"""
"""Articles, prepositions and pronouns of other languages in Latin script."""

_KEYWORDS: Final = """
abstract actual alias alignas alignof and annotation any args argv array as asm assert
associatedtype async atomic auto await bar base baz begin bigint bool boolean break by byte callable
case catch chan char checked class cls companion compl concept config const consteval constexpr
constinit constructor continue convenience crate crossinline cstr ctor data debugger decimal declare
decltype def default defer deinit del delegate delete descending destructor desugar dict didset div
do double downto dyn dynamic elif else elseif end ensure enum equals err event except exception exec
exit export exports extension extern fallthrough false fileprivate final finally fixed float fn foo
foreach friend from fun func function get global go goto guard if impl implementation implements
implicit import in indexer infer infix inherited init inline inout instanceof int integer interface
internal into is join kwargs lambda lateinit let library lock long longint loop macro main map match
mod module mut mutable namespace native new nil noexcept noinline none nonlocal not null nullptr num
obj object objectivec ok oneof op open operator optional or out overload override package params
pass permits print printf private procedure program property protected protocol pub public raise
range raw readonly record ref register reified reinterpret repeat requires rethrow return rune
satisfies sealed select self set shl short shr signed sizeof stackalloc static str strictfp string
struct sub subscript super suspend switch synchronized tailrec template test this thread throw
throws to todo trait transient true try tuple type typealias typedef typeid typename typeof ubyte
uint ulong unchecked undefined union unique unit unknown unless unmanaged unowned unsafe unsigned
until use ushort using val value var vararg varargs variable vec virtual void volatile wchar weak
when where while willset with xor yield
"""
"""Of the languages that are parsed, with the names of their simplest types."""

NEVER_NAMES: Final = frozenset(
    " ".join(
        (
            _FUNCTION_WORDS,
            _OPENERS,
            _PAPERS,
            _NUMBERS,
            _CALENDAR,
            _PEOPLES,
            _TITLES,
            _OTHER_LANGUAGES,
            _KEYWORDS,
        )
    ).split()
)

FUNCTION_WORDS: Final = frozenset(_FUNCTION_WORDS.split())
ARTICLES: Final = frozenset({"a", "an", "the"})

CALENDAR: Final = frozenset(_CALENDAR.split())

_JOINERS: Final = """
a af al am an and as at aux av before behind by da dal das de degli dei del della delle den der des
di die do dos du e el en et for from fur i ibn il im in into is ja la las le les lo los mac my na
near no not o och of og on or ou over para per s t ter the to u un und under une up upon van vom von
vor with within without y your zu zum zur
"""
JOINERS: Final = frozenset(_JOINERS.split())
"""Words in lower case that join the capitalised words of a name: The Girl with the Pearl."""

_PARTING: Final = """
and as at before behind by en et for from in into is my near no not och og on or over per to und
under up upon with within without your
"""
INNER_JOINERS: Final = JOINERS - frozenset(_PARTING.split())
"""Those inside a name of a person, place or body; at the others two names may meet."""

_BEFORE_NAMES: Final = """
adm bros ca capt cf cmdr col comdr cpl dr ed eg esp fr ft gen gov hon ie lt maj messrs mr mrs ms mt
op pres prof rep rev sen sgt st ste supt vs
"""
BEFORE_NAMES: Final = frozenset(_BEFORE_NAMES.split())
"""Abbreviations that something follows: their full stop ends no sentence."""

_BEFORE_NUMBERS: Final = """
apr art aug cap ch chap dec eq eqs feb fig figs jan jul jun mar no nos nov nr oct p par pp sec sect
sep sept tab vol vols
"""
BEFORE_NUMBERS: Final = frozenset(_BEFORE_NUMBERS.split())
"""Abbreviations whose full stop ends no sentence before a number: No. 5, but Dr. No."""
