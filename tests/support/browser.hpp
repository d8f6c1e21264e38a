// Pages in a real browser.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "report/html.hpp"
#include "support/program.hpp"
#include "support/temporary_directory.hpp"

namespace edagen::testing {

/// Fails where a script of the page ends with an error.
inline Outcome browse_page(const TemporaryDirectory& folder, const std::string& text, const std::string& purpose,
                           const std::vector<std::string>& more = {}) {
  const std::string page = folder.write("report.html", text);
  std::vector<std::string> words = together(
      {"chromium", "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars",
       "--enable-logging=stderr",  // where a page's errors are
       "--user-data-dir=" + (folder / "profile"), "--virtual-time-budget=5000"},
      more);
  words.insert(words.end(), {purpose, "file://" + page});
  Outcome browser = Program(words).wait();
  EXPECT_EQ(browser.err.find("Uncaught"), std::string::npos) << browser.err;
  return browser;
}

inline Outcome browse(const TemporaryDirectory& folder, const std::vector<Result>& results, const std::string& purpose,
                      const std::vector<ComparisonResult>& comparisons = {}) {
  return browse_page(folder, html_text(results, comparisons), purpose);
}

/// A script at the end of the page, and the text that it leaves there.
inline Outcome ask(const TemporaryDirectory& folder, std::string page, const std::string& expression,
                   const std::vector<std::string>& more = {}) {
  page.replace(page.rfind("</body>"), 0,
               "<script>addEventListener('load', () => { document.body.textContent = 'ANSWER' + (" + expression +
                   ") + 'END'; });</script>");
  Outcome browser = browse_page(folder, page, "--dump-dom", more);
  const auto begin = browser.out.rfind("ANSWER"), end = browser.out.rfind("END");
  if (browser.status == 0 && begin != std::string::npos && end != std::string::npos)
    browser.out = browser.out.substr(begin + 6, end - begin - 6);
  return browser;
}

}  // namespace edagen::testing
