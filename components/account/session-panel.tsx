// The member's open sessions, each with a button that ends it.
"use client";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useTexts } from "../i18n/use-texts";
import { Age } from "../time/age";
import { LocalTime } from "../time/local-time";
import { useTRPC } from "../trpc/client";
import { failureOf } from "../trpc/failure";
import { useAnnounce } from "../ui/announcer";
import { Button } from "../ui/button";
import { Notice } from "../ui/notice";
import { Panel } from "../ui/panel";
import { deviceText } from "./device-text";

export function SessionPanel() {
  const texts = useTexts();
  const trpc = useTRPC();
  const queries = useQueryClient();
  const announce = useAnnounce();
  const { data, error } = useQuery(trpc.account.sessions.queryOptions());
  const ended = {
    onSuccess: () => announce(texts("account.signedOutThere")),
    onSettled: () => void queries.invalidateQueries({ queryKey: trpc.account.sessions.queryKey() }),
  };
  const end = useMutation(trpc.account.endSession.mutationOptions(ended));
  const endOthers = useMutation(trpc.account.endOtherSessions.mutationOptions(ended));
  const isPending = end.isPending || endOthers.isPending;
  const failure = error ?? end.error ?? endOthers.error;
  const others = data?.sessions.filter((session) => !session.is_this) ?? [];
  return (
    <Panel className="grid gap-4 lg:col-span-2">
      <h2 className="text-lg">{texts("account.sessions")}</h2>
      {failure ? (
        <Notice tone="bad" role="alert">
          {failureOf(texts, failure).message}
        </Notice>
      ) : null}
      <ul className="grid gap-3">
        {data?.sessions.map((session) => (
          <li key={session.id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 text-sm">
            <span>
              <span className="block font-medium">
                {deviceText(texts, session.user_agent)}
                {session.is_this ? texts("account.thisSession") : ""}
              </span>
              <span className="text-ink-soft wrap-anywhere">
                {texts.rich("account.sessionTimes", {
                  address: session.address === "" ? texts("account.unknownAddress") : session.address,
                  localTime: () => <LocalTime iso={session.created_at} />,
                  age: () => <Age iso={session.last_seen_at} />,
                })}
              </span>
            </span>
            {session.is_this ? null : (
              <Button
                size="small"
                aria-label={texts("account.signOutDeviceAddress", {
                  device: deviceText(texts, session.user_agent),
                  address: session.address,
                })}
                aria-disabled={isPending || undefined}
                onClick={() => isPending || end.mutate({ id: session.id })}
              >
                {texts("account.signOut")}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {others.length > 0 ? (
        <Button
          size="medium"
          className="justify-self-start"
          aria-disabled={isPending || undefined}
          onClick={() => isPending || endOthers.mutate()}
        >
          {texts("account.signOutAllOthers")}
        </Button>
      ) : null}
    </Panel>
  );
}
