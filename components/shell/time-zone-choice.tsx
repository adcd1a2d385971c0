"use client";
import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useTexts } from "../i18n/use-texts";
import { browserTimeZone, useChosenTimeZone } from "../time/time-zone";
import { useTRPC } from "../trpc/client";

/** The pages are rendered again once the choice is stored here, and wherever the member signs in. */
export function TimeZoneChoice() {
  const texts = useTexts();
  const trpc = useTRPC();
  const router = useRouter();
  const chosen = useChosenTimeZone();
  const choose = useMutation(trpc.session.chooseTimeZone.mutationOptions({ onSuccess: () => router.refresh() }));
  const shown = choose.isPending ? choose.variables.time_zone : chosen;
  return (
    <label className="grid gap-1 px-1 pt-1">
      <span className="caption px-1.5">{texts("shell.timeZone")}</span>
      <select
        value={shown ?? ""}
        onChange={({ target }) => choose.mutate({ time_zone: target.value === "" ? null : target.value })}
        className="min-h-8 w-full rounded-sm border border-line-strong bg-surface px-1.5 text-xs"
      >
        <option value="">{texts("shell.thisBrowsers")}</option>
        <option value="UTC">{texts("shell.utc")}</option>
        {Intl.supportedValuesOf("timeZone")
          .filter((name) => name !== "UTC")
          .map((name) => (
            <option key={name} value={name}>
              {name.replaceAll("_", " ")}
            </option>
          ))}
      </select>
      {/* A long name does not fit into the select. */}
      <span className="px-1.5 text-xs wrap-anywhere">{(shown ?? browserTimeZone()).replaceAll("_", " ")}</span>
      {choose.isError ? (
        <span role="alert" className="caption px-1.5 text-bad">
          {texts("shell.choiceNotSaved")}
        </span>
      ) : null}
    </label>
  );
}
