export function Providers() {
  return (
    <div className="page">
      <title>Providers · Kinora</title>
      <h1>Providers</h1>
    </div>
  )
}
