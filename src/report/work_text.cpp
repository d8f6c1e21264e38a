#include "report/work_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "edagen/units.hpp"
#include "report/number_text.hpp"
#include "report/point_text.hpp"
#include "report/text_table.hpp"
#include "report/wrapped_text.hpp"

namespace edagen {
namespace {

constexpr std::size_t most_sentences = 3, most_kinds_in_sentence = 3, most_kinds_in_text = 5, most_kinds_on_page = 10;
/// A kind that makes less than this share of the whole difference is not named.
constexpr double least_share = 0.05;
/// A kind that differs by less than this share of the baseline's service is not in the table.
constexpr double least_of_service = 0.02;
/// A kind of RPC of which there are fewer more or less per op is not named.
constexpr double least_count_per_op = 0.02;
/// Largest share of the change of all RPCs per op that the kinds whose number is named may leave unnamed.
constexpr double most_unnamed_share = 0.1;
/// Less of the response's difference than this is no explanation of it.
constexpr double least_part_of_response = 0.2;

std::string millis_text(Millis time) { return format_millis(std::abs(time.count())) + " ms"; }

void append(std::string& list, const std::string& part) { list += (list.empty() ? "" : ", ") + part; }

/// The kinds that make most of a difference, and how much of it together.
struct NamedKinds {
  std::string numbers;  ///< "0.92 GETATTR per op of 0.6 ms each"
  std::string times;    ///< "each READ takes 0.31 ms less"
  Millis together{0};
  std::set<std::string> of_numbers = {};  ///< the kinds in `numbers`

  bool empty() const { return numbers.empty() && times.empty(); }
};
NamedKinds named_kinds(const std::vector<KindDifference>& kinds, Millis whole) {
  const bool shorter = whole < Millis(0);
  NamedKinds named;
  std::size_t count = 0;
  for (const KindDifference& kind : kinds) {
    const Millis service = kind.service();
    if (count == most_kinds_in_sentence) break;
    if ((service < Millis(0)) != shorter || std::abs(service.count()) < least_share * std::abs(whole.count())) continue;
    ++count;
    named.together += service;
    if (std::abs(kind.by_number.count()) >= std::abs(kind.by_time.count())) {
      named.of_numbers.insert(kind.kind);
      append(named.numbers,
             fmt::format("{:.3g} {} per op of {} each", std::abs(kind.per_op), kind.kind, millis_text(kind.mean_each)));
    } else {
      append(named.times,
             fmt::format("each {} takes {} {}", kind.kind, millis_text(kind.each), shorter ? "less" : "longer"));
    }
  }
  return named;
}

/// "; all RPCs together: 0.325 fewer per op (others: 0.08 fewer LOOKUP)": by how much the number of RPCs differs where
/// the kinds whose number is named make less than most of it, with the others that do; "" elsewhere.
std::string all_rpcs_text(std::vector<KindDifference> rpcs, const std::set<std::string>& named) {
  double all = 0, told = 0;
  for (const KindDifference& rpc : rpcs) {
    all += rpc.per_op;
    if (named.contains(rpc.kind)) told += rpc.per_op;
  }
  const auto is_most = [&] {
    return std::abs(all - told) <= std::max(least_count_per_op, most_unnamed_share * std::abs(all));
  };
  if (is_most()) return "";
  const auto number = [](double per_op) {
    const double rounded = std::round(1000 * per_op) / 1000;  // no sum of what cancels is written as 1e-17
    return fmt::format("{:.3g} {}", std::abs(rounded), rounded < 0 ? "fewer" : "more");
  };
  std::ranges::stable_sort(rpcs, std::greater<>(), [](const KindDifference& rpc) { return std::abs(rpc.per_op); });
  std::string others;
  for (const KindDifference& rpc : rpcs) {
    if (is_most() || std::abs(rpc.per_op) < least_count_per_op) break;
    if (named.contains(rpc.kind)) continue;
    told += rpc.per_op;
    append(others, number(rpc.per_op) + " " + rpc.kind);
  }
  return fmt::format("; all RPCs together: {} per op{}", number(all),
                     others.empty() ? "" : " (others: " + others + ")");
}

/// What is left of the difference when all RPCs are added up.
std::string unexplained_text(const WorkDifference& difference) {
  const Millis rest = *difference.unexplained;
  if (std::abs(rest.count()) < least_share * std::abs(difference.service.count())) return "";
  return (rest < Millis(0)) == (difference.service < Millis(0))
             ? fmt::format("; the NFS view does not explain {} of it", millis_text(rest))
             : fmt::format("; its RPCs differ by {} more than its service: some of them run beside ops",
                           millis_text(rest));
}

/// "0.41 ms against 1.02"
std::string against_text(const WorkFigures& variant, const WorkFigures& baseline) {
  return fmt::format("{} ms against {}", format_millis(variant.service.count()),
                     format_millis(baseline.service.count()));
}

/// The mean response of the runs whose work is compared: at a rate these are the valid ones.
Millis response_of_valid_runs(const VariantFigures& variant) {
  Millis sum{0};
  double count = 0;
  for (const RunFigures& run : variant.runs)
    if (run.valid() && run.has_response()) sum += run.response, ++count;
  return count > 0 ? sum / count : Millis(0);
}

/// What makes the difference is a wait before the service; "" where it is not, and where these runs do not show the
/// verdict's difference.
std::string waiting_text(const VariantFigures& variant, const VariantFigures& baseline) {
  const Millis before = response_of_valid_runs(baseline), service = variant.work_against_first->service,
               response = response_of_valid_runs(variant) - before;
  const bool is_slower = variant.against_first->verdict == Verdict::slower;
  if (is_slower != (response > Millis(0)) || std::abs(response.count()) <= least_share * before.count() ||
      std::abs(service / response) >= least_part_of_response)
    return "";
  return fmt::format("{}: the service makes no difference ({}): ops wait {} {} for their procs", variant.name,
                     against_text(*variant.work, *baseline.work), millis_text(response - service),
                     response < Millis(0) ? "less" : "longer");
}

/// "b saves 0.92 GETATTR per op of 0.6 ms each: 0.55 of the 0.61 ms by which its service is shorter"; "" where there is
/// nothing to say. At a latency target each has a rate of its own, and RPCs alone can be compared.
std::string sentence(const VariantFigures& variant, const VariantFigures& baseline, bool at_target) {
  const WorkDifference& difference = *variant.work_against_first;
  if (!at_target)
    if (std::string waiting = waiting_text(variant, baseline); !waiting.empty()) return waiting;
  const bool nfs = difference.unexplained.has_value();
  const Millis whole = at_target && nfs ? difference.service - *difference.unexplained : difference.service;
  const bool shorter = whole < Millis(0);
  if (std::abs(whole.count()) < least_share * baseline.work->service.count()) return "";
  const NamedKinds named = named_kinds(nfs ? difference.rpcs : difference.ops, whole);
  if (named.empty())
    return nfs ? fmt::format("{}: no RPCs explain the {} by which its service is {}", variant.name, millis_text(whole),
                             shorter ? "shorter" : "longer")
               : "";
  const std::string numbers = named.numbers.empty() ? ": "
                                                    : fmt::format(" {} {}{}", shorter ? "saves" : "adds", named.numbers,
                                                                  named.times.empty() ? "" : ", and ");
  const std::string head = variant.name + numbers + named.times;
  const std::string what =
      fmt::format("{} by which {} {}", millis_text(whole),
                  at_target && nfs ? "the RPCs of an op are" : "its service is", shorter ? "shorter" : "longer");
  const std::string rest = (at_target ? ", each at its own rate"
                            : nfs     ? unexplained_text(difference)
                                      : "") +
                           all_rpcs_text(difference.rpcs, named.of_numbers);
  if (std::abs(named.together.count()) <= std::abs(whole.count()))
    return fmt::format("{}: {} of the {}{}", head, format_millis(std::abs(named.together.count())), what, rest);
  const Millis all_kinds = nfs ? difference.service - *difference.unexplained : difference.service;
  const Millis others = all_kinds - named.together;
  const bool take_back =
      (others < Millis(0)) != shorter && std::abs(others.count()) >= least_share * std::abs(whole.count());
  return fmt::format("{}: {}{}, which is more than the {}{}", head, millis_text(named.together),
                     take_back ? fmt::format(", less {} of other {}", millis_text(others), nfs ? "RPCs" : "ops") : "",
                     what, rest);
}

/// Each run of a variant has fewer of these RPCs per op than each run of the other; else the difference is chance.
bool differs_in_all_runs(const std::string& rpc, const VariantFigures& variant, const VariantFigures& baseline) {
  const auto range = [&](const VariantFigures& of) {
    std::pair<double, double> least_most{std::numeric_limits<double>::infinity(), 0};
    for (const RunFigures& run : of.runs) {
      if (!run.work) continue;
      const auto found = run.work->rpcs.find(rpc);
      const double per_op = found == run.work->rpcs.end() ? 0 : found->second.per_op;
      least_most = {std::min(least_most.first, per_op), std::max(least_most.second, per_op)};
    }
    return least_most;
  };
  const auto [least, most] = range(variant);
  const auto [least_before, most_before] = range(baseline);
  return least > most_before || most < least_before;
}

/// "b saves 0.92 GETATTR per op; times are not compared, as runs are invalid"; "" where no kind differs in number.
std::string counts_sentence(const VariantFigures& variant, const VariantFigures& baseline) {
  const std::vector<KindDifference>& rpcs = variant.work_against_first->rpcs;
  std::string saved, added;
  std::set<std::string> named;
  for (const KindDifference& rpc : rpcs)
    if (std::abs(rpc.per_op) >= least_count_per_op && differs_in_all_runs(rpc.kind, variant, baseline)) {
      named.insert(rpc.kind);
      append(rpc.per_op < 0 ? saved : added, fmt::format("{:.3g} {}", std::abs(rpc.per_op), rpc.kind));
    }
  if (named.empty()) return "";
  return fmt::format("{} {}{}{}{}{} per op{}; times are not compared, as runs are invalid", variant.name,
                     saved.empty() ? "" : "saves ", saved, saved.empty() || added.empty() ? "" : " and ",
                     added.empty() ? "" : "adds ", added, all_rpcs_text(rpcs, named));
}

/// Variants with a verdict of faster or slower, the one that differs most first; a faster one before all slower ones.
std::vector<const VariantFigures*> explained(const ComparisonResult& comparison) {
  std::vector<const VariantFigures*> variants;
  for (const VariantFigures& variant : comparison.variants)
    if (variant.work_against_first && variant.against_first &&
        (variant.against_first->verdict == Verdict::faster || variant.against_first->verdict == Verdict::slower))
      variants.push_back(&variant);
  std::ranges::stable_sort(variants, std::greater<>(), [](const VariantFigures* variant) {
    return std::pair(variant->against_first->verdict == Verdict::faster,
                     std::abs(std::log(variant->against_first->ratio)));
  });
  return variants;
}

/// The sentences about the variants that differ, in the order of explained(), then about the RPCs of invalid runs.
std::vector<std::string> sentences_of(const ComparisonResult& comparison) {
  std::vector<std::string> sentences;
  const auto add = [&](std::string text) {
    if (!text.empty()) sentences.push_back(std::move(text));
  };
  for (const VariantFigures* const variant : explained(comparison))
    add(sentence(*variant, *comparison.baseline(), comparison.at_latency_target.has_value()));
  for (const VariantFigures& variant : comparison.variants)
    if (variant.work_against_first && variant.against_first && variant.against_first->verdict == Verdict::invalid_runs)
      add(counts_sentence(variant, *comparison.baseline()));
  return sentences;
}

/// Rows of one kind for each variant that has it.
void add_rpc(TextTable& table, const std::string& kind, const std::vector<const VariantFigures*>& variants) {
  for (const VariantFigures* const variant : variants) {
    const auto found = variant->work->rpcs.find(kind);
    if (found == variant->work->rpcs.end()) {
      table.add({kind, {variant->name, "text"}, "0", "", "", "", "0"});
      continue;
    }
    const RpcWork& rpc = found->second;
    table.add({kind,
               {variant->name, "text"},
               value_text(rpc.per_op),
               ms(rpc.queue),
               ms(rpc.round_trip),
               ms(rpc.handling()),
               ms(rpc.execute * rpc.per_op)});
  }
}
void add_op(TextTable& table, const std::string& kind, const std::vector<const VariantFigures*>& variants) {
  for (const VariantFigures* const variant : variants) {
    const auto found =
        std::ranges::find_if(variant->work->ops, [&](const auto& op) { return to_string(op.first) == kind; });
    if (found == variant->work->ops.end()) continue;
    const OpWork& op = found->second;
    table.add({kind, {variant->name, "text"}, percent_text(op.per_op), ms(op.service), ms(op.service * op.per_op)});
  }
}

/// `kinds`: of RPC if `nfs`, else of op.
TextTable kind_table(const std::vector<std::string>& kinds, const std::vector<const VariantFigures*>& variants,
                     bool nfs) {
  TextTable table(nfs ? std::vector<Column>{"RPC", "variant", "per op", "queue", "round trip", "handling", "ms per op"}
                      : std::vector<Column>{"op", "variant", "of the ops", "service ms", "ms per op"},
                  {0, 1});
  for (const std::string& kind : kinds) nfs ? add_rpc(table, kind, variants) : add_op(table, kind, variants);
  return table;
}

std::vector<std::string> names_of(const std::vector<KindDifference>& kinds, std::size_t most, Millis least) {
  std::vector<std::string> names;
  for (const KindDifference& kind : kinds)
    if (names.size() < most && std::abs(kind.service().count()) >= least.count()) names.push_back(kind.kind);
  return names;
}

}  // namespace

std::string work_text(const ComparisonResult& comparison) {
  const VariantFigures* const baseline = comparison.baseline();
  if (!baseline) return "";
  std::string text;
  const std::vector<std::string> sentences = sentences_of(comparison);
  for (std::size_t i = 0; i < std::min(sentences.size(), most_sentences); ++i) text += wrapped(sentences[i], 2);
  if (!text.empty()) text = "\n" + text;
  const std::vector<const VariantFigures*> variants = explained(comparison);
  if (variants.empty()) return text;
  const VariantFigures& most = *variants.front();
  const WorkDifference& difference = *most.work_against_first;
  const bool nfs = difference.unexplained.has_value();
  const std::vector<std::string> kinds =
      names_of(nfs ? difference.rpcs : difference.ops, most_kinds_in_text, least_of_service * baseline->work->service);
  if (kinds.empty()) return text;
  return text + fmt::format("\nKinds of {} that differ most, times in ms\n", nfs ? "RPC" : "op") +
         kind_table(kinds, {baseline, &most}, nfs).str(2);
}

void add_work(Document& blocks, const ComparisonResult& comparison) {
  const VariantFigures* const baseline = comparison.baseline();
  if (!baseline || !baseline->work) return;
  std::vector<const VariantFigures*> with_work;
  bool nfs = false;
  for (const VariantFigures& variant : comparison.variants) {
    if (!variant.work) continue;
    with_work.push_back(&variant);
    nfs |= !variant.work->rpcs.empty();
  }
  if (with_work.size() < 2) return;
  blocks.push_back(heading("What an op takes"));
  if (const std::vector<std::string> sentences = sentences_of(comparison); !sentences.empty())
    blocks.push_back({{"list", sentences}, {"style", ""}});
  std::map<std::string, Millis> largest;
  for (const VariantFigures* const variant : with_work) {
    for (const auto& [kind, rpc] : variant->work->rpcs)
      largest[kind] = std::max(largest[kind], Millis(rpc.execute * rpc.per_op));
    if (nfs) continue;
    for (const auto& [kind, op] : variant->work->ops)
      largest[std::string(to_string(kind))] =
          std::max(largest[std::string(to_string(kind))], Millis(op.service * op.per_op));
  }
  std::vector<std::string> kinds;
  for (const auto& [kind, time] : largest) kinds.push_back(kind);
  std::ranges::stable_sort(kinds, std::greater<>(), [&](const std::string& kind) { return largest[kind]; });
  kinds.resize(std::min(kinds.size(), most_kinds_on_page));
  const bool are_doubtful = std::ranges::any_of(with_work, [&](const VariantFigures* variant) {
    return variant->against_first && variant->against_first->verdict == Verdict::invalid_runs &&
           !variant->is_lower_bound() && !baseline->is_lower_bound();
  });
  blocks.push_back(paragraph(std::string(nfs ? "RPCs of the kinds that take most, in ms"
                                             : "Service of the kinds of op that take most, in ms") +
                                 (are_doubtful ? "; times may be wrong, as runs are invalid" : ""),
                             "dim"));
  blocks.push_back(kind_table(kinds, with_work, nfs).block());
}

}  // namespace edagen
