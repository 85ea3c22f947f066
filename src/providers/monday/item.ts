import type { MondayValue } from "./columns.ts";

// Only the fields that are read.
export interface MondayItem {
  id: string;
  name: string;
  url: string;
  created_at?: string | null;
  updated_at?: string | null;
  board?: { id: string } | null;
  parent_item?: { id: string; board?: { id: string } | null } | null;
  column_values: MondayValue[];
  subitems?: (MondayItem | null)[] | null;
}
