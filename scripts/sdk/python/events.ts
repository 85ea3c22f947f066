// The Python SDK's types of events: what a webhook receives, by the event's type.
import { ownEventTypes, recordEventType } from "../../../src/categories/event-types.ts";
import type { BoundOperation } from "../../../src/contracts/operation.ts";
import { deletedRecord } from "../../../src/events/subscriptions/record-identity.ts";
import { TEST_EVENT_TYPE } from "../events.ts";
import { pascalCase } from "../schema.ts";
import { recordOf } from "../table.ts";

const eventClass = (name: string, types: string[], data: string) => `
class ${name}(TypedDict):
    type: Literal[${types.map((type) => JSON.stringify(type)).join(", ")}]
    timestamp: str
    """When it happened, or was noticed, in ISO 8601"""
    data: ${data}
`;

const dataClass = (name: string, record: string) => `
class ${name}(_RecordEventData):
    record: ${record}
`;

/** Records are tracked by different fields: `DeletedById`, `DeletedByName`. */
const deletedName = (field: string) => `DeletedBy${pascalCase(field)}`;

export function pythonEvents(operations: readonly BoundOperation[]): string {
  const lists = operations.filter(({ kind }) => kind === "list");
  const byRecord = Map.groupBy(lists, (operation) => recordOf(operation).title!);
  const byIdentity = Map.groupBy(lists, ({ record }) => Object.keys(deletedRecord(record, ""))[0]!);
  const aboutConnections = ownEventTypes.filter((type) => type.startsWith("connection."));
  const others = [...ownEventTypes.filter((type) => !type.startsWith("connection.")), TEST_EVENT_TYPE];
  const changed = [...byRecord].map(([title, of]) => {
    const types = of.flatMap((one) => [recordEventType(one, "created"), recordEventType(one, "updated")]);
    return dataClass(`${title}ChangedData`, title) + eventClass(`${title}Changed`, types, `${title}ChangedData`);
  });
  const deleted = [...byIdentity].map(([field, of]) => {
    const name = deletedName(field);
    const types = of.map((one) => recordEventType(one, "deleted"));
    return `
class ${name}Record(TypedDict):
    """Nothing but its ${field} is known of a record that is gone."""

    ${field}: str
${dataClass(`${name}Data`, `${name}Record`)}${eventClass(name, types, `${name}Data`)}`;
  });
  const names = [
    "ConnectionChanged",
    "OtherEvent",
    ...[...byRecord.keys()].map((title) => `${title}Changed`),
    ...[...byIdentity.keys()].map(deletedName),
  ];
  return `"""Events as a webhook receives them. The \`type\` of one says what its \`data\` is."""

from __future__ import annotations

from typing import Any, Literal, TypedDict

from .types import ${["Connection", ...byRecord.keys()].toSorted().join(", ")}

class _RecordEventData(TypedDict):
    subscription_id: str
    connection_id: str
    external_id: str | None
${eventClass("ConnectionChanged", aboutConnections, "Connection")}${eventClass("OtherEvent", others, "dict[str, Any]")}${changed.join("")}${deleted.join("")}
WebhookEvent = ${names.join(" | ")}
"""An event as a webhook has it."""
`;
}
