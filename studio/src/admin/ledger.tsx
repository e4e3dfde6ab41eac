export function Ledger() {
  return (
    <div className="page">
      <title>Ledger · Kinora</title>
      <h1>Ledger</h1>
    </div>
  )
}
