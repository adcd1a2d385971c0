import { NotFoundHere } from "@/components/shell/not-found-here";

export default function ObjectNotFound() {
  return (
    <div className="grid justify-items-start gap-3 py-10">
      <NotFoundHere />
    </div>
  );
}
