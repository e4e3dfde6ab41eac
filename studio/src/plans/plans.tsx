export function Plans() {
  return (
    <div className="page">
      <title>Plans · Kinora</title>
      <h1>Plans</h1>
    </div>
  )
}
