#include "wiki/clean/markup/formula_signs.h"

#include <algorithm>
#include <array>
#include <unordered_map>
#include <utility>

namespace bertprep::clean {
namespace {

// Names and what is written for them, `_` for a blank.
constexpr std::string_view kSigns = R"(
AA Å   alef ℵ   alefsym ℵ   aleph ℵ   Alpha Α   alpha α   amalg ⨿   and ∧   angle ∠   approx ≈   approxeq ≊
arccos arccos   arcsin arcsin   arctan arctan   arg arg   ast *   asymp ≍   backsim ∽   backslash \   barwedge ⊼
because ∵   Beta Β   beta β   beth ℶ   bigcap ⋂   bigcirc ◯   bigcup ⋃   bigoplus ⨁   bigotimes ⨂   biguplus ⨄
bigvee ⋁   bigwedge ⋀   blacksquare ■   bot ⊥   Box □   bull •   bullet •   C C   cap ∩   cdot ·   cdotp ·
cdots ...   Chi Χ   chi χ   circ ∘   clubsuit ♣   cnums C   colon :   complement ∁   Complex C   cong ≅   coprod ∐
cos cos   cosh cosh   cot cot   coth coth   csc csc   csch csch   cup ∪   dagger †   dashv ⊣   ddagger ‡   ddots ⋱
deg deg   degree °   Delta Δ   delta δ   det det   Diamond ◇   diamond ⋄   diamondsuit ♢   digamma ϝ   dim dim
div ÷   doteq ≐   dots ...   dotsb ...   dotsc ...   dotsi ...   dotsm ...   Downarrow ⇓   downarrow ↓   ell ℓ
empty ∅   emptyset ∅   Epsilon Ε   epsilon ε   equiv ≡   Eta Η   eta η   eth ð   exist ∃   exists ∃   exp exp
Finv Ⅎ   flat ♭   forall ∀   frown ⌢   Gamma Γ   gamma γ   gcd gcd   ge ≥   geq ≥   geqq ≥   geqslant ≥   gets ←
gg ≫   ggg ⋙   gimel ℷ   gneq ⪈   gt >   H H   hArr ⇔   harr ↔   hbar ħ   hdots ...   heartsuit ♡   hom hom
hookleftarrow ↩   hookrightarrow ↪   hslash ħ   iff ⇔   iiint ∭   iint ∬   Im Im   image Im   imath ı   implies ⇒
in ∈   inf inf   infin ∞   infty ∞   int ∫   intercal ⊺   Iota Ι   iota ι   isin ∈   jmath ȷ   Kappa Κ   kappa κ
ker ker   Lambda Λ   lambda λ   land ∧   lang ⟨   langle ⟨   lArr ⇐   larr ←   lbrace {   lbrack [   lceil ⌈
ldots ...   le ≤   leadsto ⇝   Leftarrow ⇐   leftarrow ←   Leftrightarrow ⇔   leftrightarrow ↔   leq ≤   leqq ≤
leqslant ≤   lfloor ⌊   lg lg   lim lim   liminf lim_inf   limsup lim_sup   ll ≪   lll ⋘   ln ln   lneq ⪇   lnot ¬
log log   Longleftarrow ⇐   longleftarrow ←   Longleftrightarrow ⇔   longleftrightarrow ↔   longmapsto ↦
Longrightarrow ⇒   longrightarrow →   lor ∨   lozenge ◊   lt <   ltimes ⋉   lVert ‖   lvert |   mapsto ↦   max max
measuredangle ∡   mid ∣   min min   models ⊨   mp ∓   Mu Μ   mu μ   N N   nabla ∇   natnums N   natural ♮   ncong ≇
ne ≠   nearrow ↗   neg ¬   neq ≠   nexists ∄   ngeq ≱   ni ∋   nleq ≰   nmid ∤   notin ∉   nparallel ∦   nsubseteq ⊈
nsupseteq ⊉   Nu Ν   nu ν   odot ⊙   oint ∮   Omega Ω   omega ω   Omicron Ο   omicron ο   ominus ⊖   oplus ⊕   or ∨
oslash ⊘   otimes ⊗   P ¶   parallel ∥   partial ∂   perp ⊥   Phi Φ   phi φ   Pi Π   pi π   plusmn ±   pm ±   Pr Pr
prec ≺   preceq ⪯   prime ′   prod ∏   propto ∝   Psi Ψ   psi ψ   Q Q   R R   rang ⟩   rangle ⟩   rArr ⇒   rarr →
rbrace }   rbrack ]   rceil ⌉   Re Re   real Re   Reals R   reals R   rfloor ⌋   Rho Ρ   rho ρ   Rightarrow ⇒
rightarrow →   rightharpoonup ⇀   rightleftharpoons ⇌   rtimes ⋊   rVert ‖   rvert |   S §   sdot ·   searrow ↘
sec sec   sech sech   setminus ∖   sgn sgn   sharp ♯   Sigma Σ   sigma σ   sim ∼   simeq ≃   sin sin   sinh sinh
smallsetminus ∖   smile ⌣   spadesuit ♠   sqcap ⊓   sqcup ⊔   sqsubseteq ⊑   sqsupseteq ⊒   square □   star ⋆
sube ⊆   Subset ⋐   subset ⊂   subseteq ⊆   subsetneq ⊊   succ ≻   succeq ⪰   sum ∑   sup sup   supe ⊇   Supset ⋑
supset ⊃   supseteq ⊇   supsetneq ⊋   tan tan   tanh tanh   Tau Τ   tau τ   therefore ∴   Theta Θ   theta θ
thetasym ϑ   times ×   to →   top ⊤   triangle △   triangleleft ◁   trianglelefteq ⊴   triangleq ≜   triangleright ▷
twoheadrightarrow ↠   ulcorner ⌜   Uparrow ⇑   uparrow ↑   updownarrow ↕   uplus ⊎   Upsilon Υ   upsilon υ
urcorner ⌝   varDelta Δ   varepsilon ε   varGamma Γ   varkappa ϰ   varlimsup lim_sup   varnothing ∅   varOmega Ω
varphi φ   varpi ϖ   varrho ϱ   varsigma ς   vartheta ϑ   vartriangle △   Vdash ⊩   vDash ⊨   vdash ⊢   vdots ⋮
vee ∨   veebar ⊻   Vert ‖   vert |   wedge ∧   weierp ℘   wp ℘   wr ≀   Xi Ξ   xi ξ   Z Z   Zeta Ζ   zeta ζ
)";

using Sign = std::pair<std::string_view, std::string_view>;
using Table = std::unordered_map<std::string_view, std::string_view>;

std::string_view next_word(std::string_view& text) {
  text.remove_prefix(std::min(text.find_first_not_of(" \n"), text.size()));
  const std::string_view word = text.substr(0, text.find_first_of(" \n"));
  text.remove_prefix(word.size());
  return word;
}

Table read_signs() {
  Table table;
  std::string_view rest = kSigns;
  for (std::string_view name = next_word(rest); !name.empty(); name = next_word(rest)) table[name] = next_word(rest);
  return table;
}

// Combining marks. \vec and the like are known over one letter only.
constexpr std::array kAccents = std::to_array<Sign>({
    {"acute", "\u0301"},
    {"bar", "\u0304"},
    {"breve", "\u0306"},
    {"check", "\u030C"},
    {"dddot", "\u20DB"},
    {"ddot", "\u0308"},
    {"dot", "\u0307"},
    {"grave", "\u0300"},
    {"hat", "\u0302"},
    {"mathring", "\u030A"},
    {"overline", "\u0305"},
    {"overrightarrow", "\u20D7"},
    {"tilde", "\u0303"},
    {"underline", "\u0332"},
    {"vec", "\u20D7"},
    {"widehat", "\u0302"},
    {"widetilde", "\u0303"},
});

constexpr std::array kShapes = std::to_array<std::string_view>({
    "Big",          "Bigg",      "Biggl",      "Biggr",      "Bigl",
    "Bigm",         "Bigr",      "bf",         "big",        "bigg",
    "biggl",        "biggr",     "bigl",       "bigm",       "bigr",
    "bm",           "bold",      "boldsymbol", "cal",        "ce",
    "displaystyle", "emph",      "hbox",       "it",         "left",
    "limits",       "mathbb",    "mathbf",     "mathbin",    "mathcal",
    "mathclose",    "mathfrak",  "mathit",     "mathnormal", "mathop",
    "mathopen",     "mathord",   "mathrel",    "mathrm",     "mathscr",
    "mathsf",       "mathstrut", "mathtt",     "mbox",       "middle",
    "nolimits",     "pmb",       "right",      "rm",         "scriptscriptstyle",
    "scriptstyle",  "strut",     "text",       "textbf",     "textit",
    "textnormal",   "textrm",    "textsf",     "textstyle",  "texttt",
});
static_assert(std::is_sorted(kShapes.begin(), kShapes.end()));

}  // namespace

std::string_view sign_of(std::string_view command) {
  static const Table kTable = read_signs();
  const auto found = kTable.find(command);
  return found == kTable.end() ? std::string_view() : found->second;
}

std::string_view accent_of(std::string_view command) {
  const auto found =
      std::find_if(kAccents.begin(), kAccents.end(), [&](const Sign& accent) { return accent.first == command; });
  return found == kAccents.end() ? std::string_view() : found->second;
}

bool only_shapes(std::string_view command) {
  return std::binary_search(kShapes.begin(), kShapes.end(), command);
}

}  // namespace bertprep::clean
