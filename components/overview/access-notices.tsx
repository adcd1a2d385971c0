// Recent changes of authority that concern the reader: an owner must notice what a stolen session did.
"use client";
import { useQuery } from "@tanstack/react-query";
import { useTexts } from "../i18n/use-texts";
import { LocalTime } from "../time/local-time";
import { useTRPC } from "../trpc/client";
import { Notice } from "../ui/notice";

export function AccessNotices() {
  const texts = useTexts();
  const trpc = useTRPC();
  const { data } = useQuery(trpc.account.notices.queryOptions());
  if (!data || data.notices.length === 0) return null;
  return (
    <Notice tone="plain">
      <h2 className="font-medium">{texts("overview.accessChanged")}</h2>
      <ul>
        {data.notices.map(({ text, created_at: createdAt }, index) => (
          <li key={`${createdAt} ${index}`} className="wrap-anywhere">
            <LocalTime iso={createdAt} />: {text}
          </li>
        ))}
      </ul>
    </Notice>
  );
}
