/**
 * The form of an operation: sends a request to this page's origin with the reader's key, or with the session of the
 * studio, and shows the response.
 */
const TEXT_MAX = 200_000
const documents = {}
let forms = 0

/** @param {() => string} readKey the API key, or an empty text */
export async function openForm(button, method, path, readKey) {
  const form = document.createElement('form')
  form.className = 'try'
  button.parentElement.after(form)
  const output = document.createElement('pre')
  output.tabIndex = 0
  try {
    const { operation, refer } = await read(method, path)
    const fields = (operation.parameters ?? [])
      .map(refer)
      .filter(({ name }) => name !== 'X-Team')
      .map(field)
    const [[type, media] = []] = Object.entries(operation.requestBody?.content ?? {})
    const body = type && bodyField(type, media)
    const send = Object.assign(document.createElement('button'), { textContent: `Send ${method}` })
    form.append(...fields.map(({ label }) => label), ...(body ? [body.label] : []), send, output)
    form.addEventListener('submit', async (event) => {
      event.preventDefault()
      send.disabled = true
      output.textContent = '…'
      try {
        await sendRequest(output, { method, path, fields, body, key: readKey() })
      } catch (error) {
        output.textContent = `No response: ${error.message}`
      }
      send.disabled = false
    })
    form.querySelector('input, textarea, button').focus()
  } catch {
    form.textContent = 'The description of the API cannot be read. Load the page again.'
  }
}

/** An operation, from whichever document has it. */
async function read(method, path) {
  for (const url of ['/openapi.json', '/openapi-operator.json']) {
    documents[url] ??= fetch(url).then((response) => response.json())
    const document = await documents[url]
    const operation = document.paths[path]?.[method.toLowerCase()]
    const refer = (node) => (node.$ref ? document.components.parameters[node.$ref.split('/').at(-1)] : node)
    if (operation) return { operation, refer }
  }
  throw new Error(path)
}

function field({ name, in: place, required, schema = {} }) {
  const input = document.createElement('input')
  input.required = required === true
  input.autocomplete = 'off'
  if (schema.default !== undefined) input.placeholder = schema.default
  return { name, place, input, label: labelled(`${name} (${place})`, input) }
}

function bodyField(type, media) {
  const isJson = type === 'application/json'
  const input = document.createElement(isJson ? 'textarea' : 'input')
  if (isJson) input.value = JSON.stringify(media.example ?? {}, null, 2)
  else input.type = 'file'
  if (isJson) input.rows = Math.min(20, input.value.split('\n').length + 1)
  return { isJson, type, input, label: labelled('Body', input) }
}

function labelled(text, input) {
  const label = document.createElement('label')
  forms += 1
  input.id = `try-${forms}`
  label.htmlFor = input.id
  label.append(text, input)
  return label
}

async function sendRequest(output, { method, path, fields, body, key }) {
  const headers = new Headers(key ? { authorization: `Bearer ${key}` } : {})
  const query = new URLSearchParams()
  let address = path
  for (const { name, place, input } of fields) {
    if (place === 'path') address = address.replace(`{${name}}`, encodeURIComponent(input.value))
    else if (input.value === '') continue
    else if (place === 'query') query.append(name, input.value)
    else headers.set(name, input.value)
  }
  const content = body?.isJson ? body.input.value : body?.input.files[0]
  if (body) headers.set('content-type', body.isJson ? body.type : content?.type || 'application/octet-stream')
  const url = query.size > 0 ? `${address}?${query}` : address
  // A key is sent without the studio's cookie, so that the response is the key's.
  const credentials = key ? 'omit' : 'same-origin'
  const response = await fetch(url, { method, headers, credentials, ...(content ? { body: content } : {}) })
  const head = [...response.headers].map(([name, value]) => `${name}: ${value}`).join('\n')
  output.textContent = `${response.status} ${response.statusText}\n${head}\n\n`
  await showBody(output, response)
}

/** JSON as a whole, text as it arrives (an event stream has no end), and of anything else the size. */
async function showBody(output, response) {
  const type = response.headers.get('content-type') ?? ''
  if (type.includes('json')) output.textContent += JSON.stringify(await response.json(), null, 2).slice(0, TEXT_MAX)
  else if (!type.startsWith('text/')) output.textContent += `${(await response.blob()).size} bytes`
  else {
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
    for (let read = await reader.read(); !read.done && output.textContent.length < TEXT_MAX; read = await reader.read())
      output.textContent += read.value
    await reader.cancel()
  }
}
