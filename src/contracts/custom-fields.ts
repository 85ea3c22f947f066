export const customFieldTypes = ["string", "number", "boolean", "date", "strings"] as const;
export type CustomFieldType = (typeof customFieldTypes)[number];

/** What records have as `custom`, by name. Null if the item has no such value, or one of another type. */
export type CustomValue = string | number | boolean | string[] | null;
export type CustomValues = Record<string, CustomValue>;

/** A declaration: what a field of every provider's items is called here. */
export interface CustomField {
  id: string;
  /** The record that has it, such as `crm.contact`. */
  record: string;
  /** Its name in `custom`. */
  name: string;
  type: CustomFieldType;
  /** Where it is in an item, as a JSON Pointer (RFC 6901), by provider. */
  paths: Record<string, string>;
  /** Only for connections of this integration. */
  integration_id: string | null;
  /** Only for this connection. */
  connection_id: string | null;
}

export interface StoredCustomField extends CustomField {
  workspace_id: string;
  created_at: string;
  updated_at: string;
}

/** How many a workspace can have. */
export const MAX_CUSTOM_FIELDS = 500;

/** A field that applies to a connection. */
export interface DeclaredField {
  name: string;
  type: CustomFieldType;
  /** Null if nothing is declared for the connection's provider. */
  path: string | null;
}

/** One of the fields that an account's items have. */
export interface DescribedField {
  path: string;
  label: string;
  /** Null if it is of no type that can be declared. */
  type: CustomFieldType | null;
  /** Whether the account's own people have made it. */
  custom: boolean;
  /** The provider's own name for its type, if writing depends on it. */
  kind?: string;
  /** What can be chosen, if its values are IDs. */
  choices?: readonly { id: string; label: string }[];
}

/** A value to write. */
export interface WrittenField extends DeclaredField {
  path: string;
  /** Null empties the field. */
  value: CustomValue;
  /** What the provider says about the field, if it describes its fields. */
  described: DescribedField | undefined;
}
