// What became of a test event.
import type { TestResource } from "@/server/contract/webhooks";
import { Notice } from "../ui/notice";

export function TestOutcome({ tested }: { readonly tested: TestResource }) {
  const { accepted, response_status: status, duration_ms: ms, error, error_detail: detail } = tested;
  const answer = status === null ? (detail ?? error ?? "no answer") : `HTTP ${status}`;
  return (
    <output>
      <Notice tone={accepted ? "plain" : "bad"}>
        {accepted ? "The test event was accepted" : "The test event was not accepted"}: {answer}, after {ms} ms.
      </Notice>
    </output>
  );
}
