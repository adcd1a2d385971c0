// An HTTP status: its number, with an icon and a color for its class.
import { CircleCheck, CircleX, TriangleAlert } from "lucide-react";
import { Badge } from "../ui/badge";

export function StatusMark({ status }: { readonly status: number }) {
  const label = String(status);
  if (status < 400) return <Badge tone="good" Icon={CircleCheck} label={label} />;
  return status < 500 ? (
    <Badge tone="warn" Icon={TriangleAlert} label={label} />
  ) : (
    <Badge tone="bad" Icon={CircleX} label={label} />
  );
}
