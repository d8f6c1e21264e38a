#include "cli/main.hpp"

int main(int argc, char** argv) { return edagen::run_command_line(argc, argv); }
