// What became of a test event.

import type { TestResource } from "@/server/contract/webhooks";
import { useTexts } from "../i18n/use-texts";
import { Notice } from "../ui/notice";

export function TestOutcome({ tested }: { readonly tested: TestResource }) {
  const texts = useTexts();
  const { accepted, response_status: status, duration_ms: ms, error, error_detail: detail } = tested;
  const answer =
    status === null ? (detail ?? error ?? texts("webhooks.noAnswer")) : texts("webhooks.httpStatus", { status });
  return (
    <output>
      <Notice tone={accepted ? "plain" : "bad"}>
        {texts("webhooks.testResult", {
          verdict: accepted ? texts("webhooks.testAccepted") : texts("webhooks.testNotAccepted"),
          answer,
          ms,
        })}
      </Notice>
    </output>
  );
}
