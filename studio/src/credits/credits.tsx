export function Credits() {
  return (
    <div className="page">
      <title>Credits · Kinora</title>
      <h1>Credits</h1>
    </div>
  )
}
