"""Words that are no name by themselves, however they are written: folded, by reason."""

from __future__ import annotations

from typing import Final

_FUNCTION_WORDS: Final = """
a about above across after afterwards again against ago all almost alone along already also
although always am amid among amongst an and another any anybody anyhow anyone anything anyway
anywhere apart are aren around as aside at away back be became because become becomes been before
beforehand behind being below beneath beside besides best better between beyond both but by came
can cannot cant cause come could couldn d despite did didn do does doesn doing don done down due
during each either else elsewhere enough especially etc even ever every everybody everyone
everything everywhere except far few fewer following for former formerly from further furthermore
get gets getting give given go goes going gone got had hadn hardly has hasn have haven having he
hence her here hers herself him himself his how however i ie if in indeed inside instead into is
isn it its itself just keep keeps kept know known last later latter least less let lets like
likewise little ll longer lot lots m made mainly make makes making many may maybe me mean means
meanwhile merely might mine more moreover most mostly much must my myself namely near nearly need
needs neither never nevertheless next no nobody none nonetheless nor not nothing notwithstanding
now nowadays nowhere o of off often ok okay on once one ones oneself only onto or other others
otherwise ought our ours ourselves out outside over own part partly per perhaps please plus
possible possibly previous previously probably put quite rather re really regarding s said same
saw say says see seem seemed seems seen several shall she should shouldn since so some somebody
somehow someone something sometimes somewhere soon still such t take taken takes than that the
their theirs them themselves then there thereafter thereby therefore therein these they thing
things think this those though through throughout thus till to together too took toward towards
try two under underneath unless unlike until unto up upon us use used uses using usual usually
various ve very via was wasn way we well went were weren what whatever when whence whenever where
whereas whereby wherein wherever whether which whichever while who whoever whole whom whose why
will with within without won would wouldn yes yet you your yours yourself yourselves
"""

_OPENERS: Final = """
accordingly actually add added additional additionally adds allow allows alternatively answer
appendix apply arguably ask assume assuming author avoid bad basically begin believe both bottom
bug bugs build built bump call called calls case caution certainly change changed changelog changes
chapter check choose clearly close common compare compared conclusion consider considering content
contents contrary conversely copy correct create created creates currently danger date day days
default defaults define defined delete deprecated describe description detail details determine
different disable discussion download earlier easy edit eight eighth email enable ensure equally
error errors essentially eventually every evidently exactly example examples explain explore
extend fact false feature features fifth fig figure file files final finally find first five fix
fixed fixes fortunately four fourth full function general generally good great guide half help
hint home hopefully ideally imagine implement important improve include included includes including
increasingly incidentally info initially input inspired install installation interestingly
introduction issue issues item items join keep key large largely lately learn left legal level
license line link list load long look looking main male maximum meanwhile method middle minimum
minor module monthly months move name names naturally new news nine ninth normally notably note
notes notice number obviously occasionally official old open optional optionally option options
order ordinarily originally output overall overview owing page pages param parameter parameters
params particularly pass path people place point pre prefer presumably primarily prior problem
problems provide provided provides question questions quick raise raised raises ran read reader
reason recall recent recently reference references refer related release released remember remove
removed removes rename replace report require required requires respectively result results return
returned returning returns right root row rows run running runs sadly sample scholars second
secondly section sections select send set sets setting settings setup seven seventh show showing
shown shows similar similarly simple simply six sixth skip small software solution sometimes source
specifically specify start started starting starts step steps stop store strangely strictly
subsequently suddenly sum summary suppose support supported supports surely surprisingly table
tables ten tenth test tests text third thirdly three time times tip tips title todo top total truly
true turn tutorial twelve twenty type types typically ultimately understand unfortunately update
updated updates upgrade url usage user users value values verify version versions view wait want
warning warnings whats word words work works worse worst write written wrong year years zero
"""
"""What opens sentences, headings, notes and docstrings, and so is often capitalised."""

_CALENDAR: Final = """
january february march april may june july august september october november december
jan feb mar apr jun jul aug sep sept oct nov dec
monday tuesday wednesday thursday friday saturday sunday mon tue tues wed thu thur thurs fri sat sun
spring summer autumn winter bc bce ad ce am pm
"""
"""Two texts that both name November have nothing else in common."""

_PEOPLES: Final = """
african albanian algerian american arab arabian arabic argentine argentinian armenian asian
australian austrian azerbaijani bangladeshi basque belarusian belgian bengali bohemian bolivian
bosnian brazilian breton british bulgarian burmese byzantine cambodian cameroonian canadian
cantonese caribbean catalan celtic chilean chinese colombian cornish croat croatian cuban cypriot
czech czechoslovak danish dominican dutch ecuadorian egyptian english eritrean estonian ethiopian
european filipino finnish flemish french gaelic galician georgian german germanic ghanaian greek
guatemalan gujarati haitian hawaiian hebrew hindi hungarian icelandic indian indonesian iranian
iraqi irish israeli italian jamaican japanese javanese jewish jordanian kannada kazakh kenyan korean
kurdish kyrgyz latin latvian lebanese liberian libyan lithuanian luxembourgish macedonian malay
malayalam malaysian maltese mandarin marathi mediterranean mexican moldovan mongolian montenegrin
moroccan nepalese nepali nigerian nordic norman norse norwegian ottoman pakistani palestinian
panamanian paraguayan persian peruvian polish portuguese prussian punjabi roman romanian russian
sanskrit saudi saxon scandinavian scots scottish senegalese serb serbian sicilian sinhala slavic
slovak slovene slovenian somali soviet spaniard spanish sudanese swedish swiss syrian taiwanese
tamil telugu thai tibetan tunisian turkish ugandan ukrainian urdu uruguayan uzbek venezuelan
vietnamese welsh yugoslav zimbabwean christian catholic protestant orthodox muslim islamic buddhist
hindu eastern western northern southern central north south east west
"""
"""What says whose or where a thing is (an American film) names no thing; America is a name."""

_TITLES: Final = """
mr mrs ms miss dr prof sir lord lady king queen prince princess duke duchess count countess earl
baron emperor empress pope saint st jr sr
"""
"""Before or after a name; Miss alone is nobody."""

_OTHER_LANGUAGES: Final = """
aber als am auch auf aus bei das dem den der des die du ein eine einem einen einer eines er es fur
ich im ist mit nach nicht oder sie sind uber um und vom von vor wie wir zu zum zur
au aux avec ce ces cette dans de elle en est et il ils je la le les leur mais nous ou par pas pour
que qui sa se ses son sont sur un une vous
al ante como con cual del desde donde e el ella ellos esta este esto los las lo mas mi muy nos para
pero por porque si sin sobre su sus tambien te tu y
alla alle che ci col dal dalla degli dei della delle di gli ha ho io ma nel nella noi non per piu
quando questo sono tra uno
ao aos as com da das do dos ela ele eles em isso mas na nas nem no nos num numa os pela pelo quando
sao sem seu sua tem voce
aan bij dat deze dit een het hij ik maar met naar niet om ons onze ook op te ten ter uit van voor
wat werd wordt zij zijn
"""
"""Articles, prepositions and pronouns of languages in Latin script that names are often cited in"""

_KEYWORDS: Final = """
abstract actual alias alignas alignof and annotation any args array as asm assert associatedtype
async atomic auto await base begin bigint bool boolean break by byte callable case catch chan char
checked class companion compl concept config const consteval constexpr constinit constructor
continue convenience crate crossinline cstr ctor data debugger decimal decltype declare def default
defer deinit del delegate delete descending desugar destructor dict didset div do double downto dyn
dynamic elif else elseif end ensure enum equals err event except exception exec exit export exports
extension extern fallthrough false fileprivate final finally fixed float fn foreach friend from fun
func function get global go goto guard if impl implementation implements implicit import in indexer
infer infix inherited init inline inout instanceof int integer interface internal into is join
kwargs lambda lateinit let library lock long longint loop macro main map match mod module mut
mutable namespace native new nil noexcept noinline none nonlocal not null nullptr num obj object
objectivec oneof op open operator optional or out overload override package params pass permits
print printf private procedure program property protected protocol pub public raise range raw
readonly record ref reified reinterpret repeat register requires rethrow return rune satisfies
sealed select self set shl short shr signed sizeof stackalloc static str strictfp string struct sub
subscript super suspend switch synchronized tailrec template test this thread throw throws to trait
transient true try tuple type typealias typedef typeid typename typeof ubyte uint ulong unchecked
undefined union unique unit unknown unless unmanaged unowned unsafe unsigned until use ushort using
val value var varargs vararg variable vec virtual void volatile wchar weak when where while willset
with xor yield args argv cls foo bar baz ok todo
"""
"""Of the languages that are parsed, with the names of their simplest types."""

NEVER_NAMES: Final = frozenset(
    " ".join(
        (_FUNCTION_WORDS, _OPENERS, _CALENDAR, _PEOPLES, _TITLES, _OTHER_LANGUAGES, _KEYWORDS)
    ).split()
)

JOINERS: Final = frozenset(
    """
    a al am an and as at aux before behind by da dal das de degli dei del della delle den der des
    di die do dos du e el en et for from fur i ibn il im in into is la las le les like lo los mac
    my near no not o of on or ou over para per s t ter the to u un und under une up upon vom von van
    vor without with within y your zu zum zur na av af og och ja
    """.split()
)
"""Words in lower case that join the capitalised words of a name: The Girl with the Pearl."""

BEFORE_NAMES: Final = frozenset(
    """
    adm bros ca capt cf cmdr col comdr cpl dr ed eg esp ft fr gen gov hon ie lt maj messrs mr mrs ms
    mt op prof pres rep rev sen sgt st ste supt vs
    """.split()
)
"""Abbreviations that something follows: their full stop ends no sentence."""

BEFORE_NUMBERS: Final = frozenset(
    """
    apr art aug cap ch chap dec eq eqs feb fig figs jan jul jun mar no nos nov nr oct p par pp sec
    sect sep sept tab vol vols
    """.split()
)
"""Abbreviations whose full stop ends no sentence before a number: No. 5, but Dr. No."""
