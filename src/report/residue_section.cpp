// Markup that was left in the text, with places to read.
#include "base/number_text.h"
#include "quality/data_counts.h"
#include "report/html.h"
#include "report/report_sections.h"

namespace bertprep {

std::string residue_section(const SetReport& set) {
  if (!set.residue || set.residue->rows() == 0) return {};
  const MarkupResidue& residue = *set.residue;
  std::string rows;
  for (const ResidueKind& kind : residue.kinds()) {
    if (kind.rows == 0) continue;
    std::string samples;
    for (const ResidueSample& sample : kind.samples) {
      samples += element("div", "", escaped(sample.text)) +
                 element("div", "soft", escaped(sample.file + ": row " + grouped(sample.row)));
    }
    rows += fact_row(kind.name, percent(share_of(kind.rows, residue.rows())) + " of the rows");
    rows += "<tr><td colspan=\"2\">" + samples + "</td></tr>";
  }
  const std::string looked_at = counted(residue.rows(), "row") + " looked at";
  const std::string note = rows.empty() ? "no brackets of links, braces of templates or tags in the " + looked_at
                                        : looked_at + "; text that was extracted well has next to none";
  return element("h2", "", "Markup left in the text") +
         element("figure", "card",
                 element("figcaption", "", element("b", "", "Markup residue") + element("span", "", escaped(note))) +
                     (rows.empty() ? std::string() : element("table", "facts", rows))) +
         "\n";
}

}  // namespace bertprep
