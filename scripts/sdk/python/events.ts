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

export function pythonEvents(operations: readonly BoundOperation[]): string {
  const lists = operations.filter(({ kind }) => kind === "list");
  const byRecord = Map.groupBy(lists, (operation) => recordOf(operation).title!);
  const byIdentity = Map.groupBy(lists, ({ record }) => Object.keys(deletedRecord(record, ""))[0]!);
  const aboutConnections = ownEventTypes.filter((type) => type.startsWith("connection."));
  const others = [...ownEventTypes.filter((type) => !type.startsWith("connection.")), TEST_EVENT_TYPE];
  const changed = [...byRecord].map(([title, of]) => {
    const types = of.flatMap((one) => [recordEventType(one, "created"), recordEventType(one, "updated")]);
    return dataClass(`${title}EventData`, title) + eventClass(`${title}Event`, types, `${title}EventData`);
  });
  const deleted = [...byIdentity].map(([field, of]) => {
    const name = `DeletedBy${pascalCase(field)}`;
    const types = of.map((one) => recordEventType(one, "deleted"));
    return `
class ${name}(TypedDict):
    """Nothing but its ${field} is known of a record that is gone."""

    ${field}: str
${dataClass(`${name}EventData`, name)}${eventClass(`${name}Event`, types, `${name}EventData`)}`;
  });
  const names = [
    "ConnectionEvent",
    "OtherEvent",
    ...[...byRecord.keys()].map((title) => `${title}Event`),
    ...[...byIdentity.keys()].map((field) => `DeletedBy${pascalCase(field)}Event`),
  ];
  return `"""Events as a webhook receives them. The \`type\` of one says what its \`data\` is."""

from __future__ import annotations

from typing import Any, Literal, TypedDict, Union

from .types import ${["Connection", ...byRecord.keys()].toSorted().join(", ")}

class _RecordEventData(TypedDict):
    subscription_id: str
    connection_id: str
    external_id: str | None
${eventClass("ConnectionEvent", aboutConnections, "Connection")}${eventClass("OtherEvent", others, "dict[str, Any]")}${changed.join("")}${deleted.join("")}
WebhookEvent = Union[${names.join(", ")}]
"""An event as a webhook has it."""
`;
}
