export function Keys() {
  return (
    <div className="page">
      <title>API keys · Kinora</title>
      <h1>API keys</h1>
    </div>
  )
}
