import { useTexts } from "../i18n/use-texts";
import { LocalTime } from "./local-time";

interface AsOfProps {
  /** ISO 8601; null for data that is up to date. */
  readonly iso: string | null;
}

/** Says up to when data is complete that may be behind. */
export function AsOf({ iso }: AsOfProps) {
  const texts = useTexts();
  if (iso === null) return null;
  return <p className="caption">{texts.rich("common.asOf", { localTime: () => <LocalTime iso={iso} /> })}</p>;
}
