#include "workload/fio_term.hpp"

#include <fmt/format.h>

#include <cmath>

namespace edagen {
namespace {

constexpr int deepest_nesting = 50;

/// Recursive descent: sum = product {+- product}, product = power {*/% power}, power = factor [^ power].
class Term {
 public:
  Term(const std::string& text, const FioWord& word, double (*unit)(const std::string&, const FioWord&))
      : text_(text), word_(word), unit_(unit) {}

  double value() {
    const double result = sum();
    skip_blanks();
    if (at_ != text_.size() || !std::isfinite(result)) refuse();
    return result;
  }

 private:
  [[noreturn]] void refuse() const { word_.refuse(fmt::format("'{}' cannot be calculated", text_), "such as (2*4k)"); }
  void skip_blanks() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }
  bool take(char wanted) {
    skip_blanks();
    if (at_ == text_.size() || text_[at_] != wanted) return false;
    ++at_;
    return true;
  }
  double sum() {
    double result = product();
    for (;;) {
      if (take('+')) result += product();
      else if (take('-')) result -= product();
      else return result;
    }
  }
  double product() {
    double result = power();
    for (;;) {
      if (take('*')) result *= power();
      else if (take('/')) result /= power();
      else if (take('%')) result = std::fmod(result, power());
      else return result;
    }
  }
  double power() {
    const double base = factor();
    return take('^') ? std::pow(base, power()) : base;
  }
  double factor() {
    if (++depth_ > deepest_nesting) refuse();
    double result = 0;
    if (take('(')) {
      result = sum();
      if (!take(')')) refuse();
    } else if (take('-')) {
      result = -factor();
    } else {
      result = number();
    }
    --depth_;
    return result;
  }
  double number() {
    skip_blanks();
    std::size_t used = 0;
    const std::size_t digits = text_.find_first_not_of("0123456789.", at_);
    const std::string figure = text_.substr(at_, digits == std::string::npos ? digits : digits - at_);
    if (figure.empty() || figure.size() > 20 || figure.front() == '.') refuse();
    const double result = std::stod(figure, &used);
    if (used != figure.size()) refuse();
    at_ += figure.size();
    std::string letters;
    while (at_ < text_.size() && std::isalpha(static_cast<unsigned char>(text_[at_])) != 0) letters += text_[at_++];
    return result * unit_(letters, word_);
  }

  const std::string& text_;
  const FioWord& word_;
  double (*unit_)(const std::string&, const FioWord&);
  std::size_t at_ = 0;
  int depth_ = 0;
};

}  // namespace

double fio_term(const std::string& text, const FioWord& word, double (*unit)(const std::string&, const FioWord&)) {
  return Term(text, word, unit).value();
}

}  // namespace edagen
