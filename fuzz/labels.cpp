#include "cli/labels.hpp"

#include "input.hpp"
#include "report/html.hpp"
#include "result/result_json.hpp"
#include "text_file.hpp"

namespace edagen::fuzz {

void use_labels(const std::string& text) {
  Result result;
  result.labels = with_labels_of({}, TextFile(text, ".labels").path());
  static_cast<void>(html_text({result}));
  static_cast<void>(json_text(result));
}

}  // namespace edagen::fuzz
