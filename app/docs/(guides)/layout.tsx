import type { ReactNode } from "react";
import { PageTexts } from "@/app/page-texts";
import { GuidesFrame } from "@/components/guides/guides-frame";
import { addressOfGuide, GROUPS } from "@/server/http/guides/catalog";

const groups = GROUPS.map(({ title, guides }) => ({
  title,
  guides: guides.map((guide) => ({ href: addressOfGuide(guide.name), title: guide.title })),
}));

export default function GuidesLayout({ children }: { readonly children: ReactNode }) {
  return (
    <PageTexts areas={["copy"]}>
      <GuidesFrame groups={groups}>{children}</GuidesFrame>
    </PageTexts>
  );
}
