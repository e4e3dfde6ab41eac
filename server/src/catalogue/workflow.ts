/**
 * A route's workflow of ComfyUI, in a file of its own as the editor exports it for the API. It becomes the `prompt` of
 * the route's input: JSON is an expression as it is.
 */

import type { Mapping } from '../provider/request-mapping.ts'
import { at, parseJson } from '../text/json-reader.ts'
import type { Problem } from '../text/schema-problems.ts'
import { isByMode } from './model.ts'
import type { ModelEntry, Route } from './model-file.ts'

/** @param read the text of a file beside the model's; null: there is none */
export function withWorkflows(
  entry: ModelEntry,
  read: (name: string) => string | null,
): { entry: ModelEntry; problems: Problem[] } {
  const problems: Problem[] = []
  const routes = entry.routes.map((route, i) => {
    if (route.workflow === undefined) return route
    const text = read(route.workflow)
    const workflow = text === null ? null : parseJson(text)
    const found = text === null ? 'there is no such file beside this one; export it there' : problemOf(workflow, route)
    if (found !== null) problems.push({ path: ['routes', i, 'workflow'], text: found })
    return found === null ? withPrompt(route, JSON.stringify(workflow)) : route
  })
  return { entry: { ...entry, routes }, problems }
}

function problemOf(workflow: unknown, route: Route): string | null {
  const nodes = typeof workflow === 'object' && workflow !== null ? Object.entries(workflow) : []
  if (nodes.length === 0 || !nodes.every(([, node]) => typeof at(node, 'class_type') === 'string')) {
    return 'is no workflow for the API; export it with File > Export (API)'
  }
  const { input = {} } = route
  const inputs: Record<string, unknown>[] = isByMode(route, input) ? Object.values(input) : [input]
  if (inputs.some((input) => Object.hasOwn(input, 'prompt')))
    return 'is the prompt of the input, which has one too; remove one'
  const set = inputs.flatMap(({ set: nodes }) => Object.keys(typeof nodes === 'object' && nodes !== null ? nodes : {}))
  const unknown = set.find((node) => !nodes.some(([name]) => name === node))
  return unknown === undefined
    ? null
    : `has no node ${unknown}, which the input sets; it has ${nodes.map(([name]) => name).join(', ')}`
}

/** The route with the workflow in the inputs of all its modes. */
function withPrompt(route: Route, prompt: string): Route {
  const { input = {} } = route
  const added = (each: object | string): Mapping => ({ prompt, ...(typeof each === 'object' ? each : {}) })
  return {
    ...route,
    input: isByMode(route, input)
      ? Object.fromEntries(Object.entries(input).map(([mode, each]) => [mode, added(each)]))
      : added(input),
  }
}
