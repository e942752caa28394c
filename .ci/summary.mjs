// Prints "N passed, N failed" from vitest's JSON report and the exit codes of `make test` and `make check`.
import { readFileSync } from "node:fs";

const [report, testsCode, checkCode] = process.argv.slice(2);

function readCounts() {
  try {
    const { numPassedTests, numFailedTests, numFailedTestSuites } = JSON.parse(readFileSync(report, "utf8"));
    return { passed: numPassedTests, failed: numFailedTests || (numFailedTestSuites > 0 ? 1 : 0) };
  } catch {
    return { passed: 0, failed: 1 };
  }
}

const counts = readCounts();
const unexplained = testsCode !== "0" && counts.failed === 0 ? 1 : 0;
const checkFailed = checkCode === "0" ? 0 : 1;
const failed = counts.failed + unexplained + checkFailed;
if (checkFailed) console.log("make check failed");
console.log(`${counts.passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
