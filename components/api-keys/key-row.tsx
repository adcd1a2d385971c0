import type { inferRouterOutputs } from "@trpc/server";
import type { AppRouter } from "@/server/trpc/router";
import { useTexts } from "../i18n/use-texts";
import { Age } from "../time/age";
import { LocalTime } from "../time/local-time";
import { Button } from "../ui/button";
import { Cell, Row } from "../ui/data-table";
import { KeyBadge } from "./key-badge";

type ApiKey = inferRouterOutputs<AppRouter>["apiKeys"]["list"][number];

interface KeyRowProps {
  readonly apiKey: ApiKey;
  readonly onAct: (act: "roll" | "revoke") => void;
}

function Limit({ label, values }: { readonly label: string; readonly values: readonly string[] }) {
  return (
    <span className="block text-xs text-ink-soft wrap-anywhere">
      {label}: {values.join(", ")}
    </span>
  );
}

export function KeyRow({ apiKey, onAct }: KeyRowProps) {
  const texts = useTexts();
  const {
    name,
    public_key: publicKey,
    state,
    scopes,
    networks,
    expires_at: expiresAt,
    last_used_at: lastUsedAt,
  } = apiKey;
  return (
    <Row>
      <Cell isWide>
        <span className="block font-medium wrap-anywhere">{name}</span>
        <span className="block font-mono text-xs text-ink-soft wrap-anywhere">{publicKey}</span>
        {scopes === null ? null : <Limit label={texts("keys.scopes")} values={scopes} />}
        {networks === null ? null : <Limit label={texts("keys.networks")} values={networks} />}
      </Cell>
      <Cell>
        <KeyBadge state={state} />
        {(state === "active" || state === "expiring") && expiresAt !== null ? (
          <span className="block text-xs text-ink-soft">
            {texts.rich("keys.ends", { localTime: () => <LocalTime iso={expiresAt} /> })}
          </span>
        ) : null}
      </Cell>
      <Cell className="max-md:text-right max-md:text-xs">
        <span className="md:hidden">{texts("keys.used")} </span>
        {lastUsedAt === null ? texts("keys.never") : <Age iso={lastUsedAt} />}
      </Cell>
      <Cell isDetail className="whitespace-nowrap">
        <Age iso={apiKey.created_at} />
      </Cell>
      <Cell isWide>
        <div className="flex justify-end gap-2">
          {state === "active" ? (
            <Button size="small" aria-label={texts("keys.openRoll", { name })} onClick={() => onAct("roll")}>
              {texts("keys.roll")}
            </Button>
          ) : null}
          {state === "active" || state === "expiring" ? (
            <Button
              size="small"
              tone="danger"
              aria-label={texts("keys.openRevoke", { name })}
              onClick={() => onAct("revoke")}
            >
              {texts("keys.revoke")}
            </Button>
          ) : null}
        </div>
      </Cell>
    </Row>
  );
}
