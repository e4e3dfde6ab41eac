export function Payments() {
  return (
    <div className="page">
      <title>Payments · Kinora</title>
      <h1>Payments</h1>
    </div>
  )
}
