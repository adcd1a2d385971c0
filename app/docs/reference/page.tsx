import type { Metadata } from "next";
import { ApiReference } from "@/components/guides/api-reference";
import { GuidesHeader } from "@/components/guides/guides-header";
import { REFERENCE_SCRIPT } from "@/server/http/guides/reference";

export const metadata: Metadata = { title: "API reference" };

export default function ReferencePage() {
  return (
    <>
      <GuidesHeader />
      <main>
        <ApiReference script={REFERENCE_SCRIPT} document="/openapi.json" />
      </main>
    </>
  );
}
